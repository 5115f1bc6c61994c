// Recorded by `test/workerd/openapi/examples.slow.test.ts`, which says how. Do not edit.
import type { Examples } from "./examples.ts";

export const examples: Examples = {
  bodies: {
    createDocument: {
      templateId: "9c009b16-54fb-4998-b6b1-000000000001",
      data: {
        invoiceNumber: "PQ-2026-0417",
        dueDate: "2026-12-15",
        items: [
          {
            description: "Letterpress, 200 cards",
            price: 340,
          },
        ],
      },
    },
    createBatch: {
      templateId: "9c009b16-54fb-4998-b6b1-000000000001",
      items: [
        {
          customId: "PQ-2026-0417",
          data: {
            invoiceNumber: "PQ-2026-0417",
            dueDate: "2026-12-15",
            items: [
              {
                description: "Letterpress, 200 cards",
                price: 340,
              },
            ],
          },
        },
        {
          customId: "PQ-2026-0418",
          data: {
            invoiceNumber: "PQ-2026-0418",
            dueDate: "2026-12-15",
            items: [
              {
                description: "Letterpress, 200 cards",
                price: 340,
              },
            ],
          },
        },
      ],
    },
    createLink: {
      expiresIn: 3600,
      disposition: "attachment",
      filename: "Invoice PQ-2026-0417",
    },
  },
  responses: {
    createDocument: {
      success: true,
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000002",
        templateId: "9c009b16-54fb-4998-b6b1-000000000003",
        status: "completed",
        format: "pdf",
        pdfUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
        fileUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
        createdAt: "2026-11-21T20:40:14.527Z",
        completedAt: "2026-11-21T20:40:14.527Z",
        expiresAt: null,
        filename: null,
        metadata: {},
        batchId: null,
        isTest: false,
        templateVersion: 1,
        width: 794,
        height: 1123,
        deviceScaleFactor: 2,
        imageQuality: null,
        pixelWidth: null,
        pixelHeight: null,
        pageCount: 1,
        fileSize: 21804,
        sha256: "98c7487a8a208b6d833e1a336d409472595398d27729e62a8eb1be82b3f46dd4",
        warnings: [],
        error: null,
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000004",
      },
    },
    listDocuments: {
      success: true,
      data: {
        documents: [
          {
            id: "9c009b16-54fb-4998-b6b1-000000000005",
            templateId: "9c009b16-54fb-4998-b6b1-000000000001",
            status: "completed",
            format: "pdf",
            pdfUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
            fileUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
            createdAt: "2026-11-21T20:40:14.527Z",
            completedAt: "2026-11-21T20:40:14.527Z",
            expiresAt: null,
            filename: null,
            metadata: {},
            batchId: "9c009b16-54fb-4998-b6b1-000000000006",
            isTest: false,
            templateVersion: 1,
            width: 794,
            height: 1123,
            deviceScaleFactor: 2,
            imageQuality: null,
            pixelWidth: null,
            pixelHeight: null,
            pageCount: 3,
            fileSize: 65,
            sha256: "98c7487a8a208b6d833e1a336d409472595398d27729e62a8eb1be82b3f46dd4",
            warnings: [],
            error: null,
          },
          {
            id: "9c009b16-54fb-4998-b6b1-000000000007",
            templateId: "9c009b16-54fb-4998-b6b1-000000000001",
            status: "completed",
            format: "pdf",
            pdfUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
            fileUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
            createdAt: "2026-11-21T20:40:14.527Z",
            completedAt: "2026-11-21T20:40:14.527Z",
            expiresAt: null,
            filename: null,
            metadata: {},
            batchId: "9c009b16-54fb-4998-b6b1-000000000006",
            isTest: false,
            templateVersion: 1,
            width: 794,
            height: 1123,
            deviceScaleFactor: 2,
            imageQuality: null,
            pixelWidth: null,
            pixelHeight: null,
            pageCount: 3,
            fileSize: 65,
            sha256: "98c7487a8a208b6d833e1a336d409472595398d27729e62a8eb1be82b3f46dd4",
            warnings: [],
            error: null,
          },
          {
            id: "9c009b16-54fb-4998-b6b1-000000000008",
            templateId: "9c009b16-54fb-4998-b6b1-000000000001",
            status: "completed",
            format: "pdf",
            pdfUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
            fileUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
            createdAt: "2026-11-21T20:40:14.527Z",
            completedAt: "2026-11-21T20:40:14.527Z",
            expiresAt: null,
            filename: null,
            metadata: {},
            batchId: null,
            isTest: false,
            templateVersion: 1,
            width: 794,
            height: 1123,
            deviceScaleFactor: 2,
            imageQuality: null,
            pixelWidth: null,
            pixelHeight: null,
            pageCount: 1,
            fileSize: 21804,
            sha256: "98c7487a8a208b6d833e1a336d409472595398d27729e62a8eb1be82b3f46dd4",
            warnings: [],
            error: null,
          },
        ],
        pagination: {
          limit: 20,
          offset: 0,
          total: 3,
          totalIsExact: true,
          nextCursor: null,
        },
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000009",
      },
    },
    getDocument: {
      success: true,
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000008",
        templateId: "9c009b16-54fb-4998-b6b1-000000000001",
        status: "completed",
        format: "pdf",
        pdfUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
        fileUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
        createdAt: "2026-11-21T20:40:14.527Z",
        completedAt: "2026-11-21T20:40:14.527Z",
        expiresAt: null,
        filename: null,
        metadata: {},
        batchId: null,
        isTest: false,
        templateVersion: 1,
        width: 794,
        height: 1123,
        deviceScaleFactor: 2,
        imageQuality: null,
        pixelWidth: null,
        pixelHeight: null,
        pageCount: 1,
        fileSize: 21804,
        sha256: "98c7487a8a208b6d833e1a336d409472595398d27729e62a8eb1be82b3f46dd4",
        warnings: [],
        error: null,
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000010",
      },
    },
    listDownloads: {
      success: true,
      data: {
        downloads: [],
        pagination: {
          limit: 20,
          offset: 0,
          total: 0,
          totalIsExact: true,
          nextCursor: null,
        },
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000011",
      },
    },
    createLink: {
      success: true,
      data: {
        url: "https://colophon.test/links/vPbQdYPbUqr0-YrIjQvNS6LzP_J8V2SLhO1W7XaGBpbwpMsdYPbUqr0-YrIjQvNS6LzP_J8V2SLhO1W7XaGBpbwpMsdYPbUqr0-YrIjQvNS6LzP_J8V2SLhO1W7XaGBpbwpMsdYPbUqr0-YrIjQvNS6LzP_J8V2SLhO1W7XaGBpbwpMs",
        expiresAt: "2026-11-21T20:40:14.527Z",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000012",
      },
    },
    createBatch: {
      success: true,
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000013",
        status: "processing",
        templateId: "9c009b16-54fb-4998-b6b1-000000000014",
        templateVersion: 1,
        format: "pdf",
        output: ["documents"],
        counts: {
          total: 2,
          processing: 2,
          completed: 0,
          failed: 0,
          canceled: 0,
        },
        createdAt: "2026-11-21T20:40:14.527Z",
        startedAt: null,
        endedAt: null,
        expiresAt: "2026-11-21T20:40:14.527Z",
        resultsUrl: "https://colophon.test/api/v1/batches/9c009b16-54fb-4998-b6b1-000000000013/results",
        files: [],
        warnings: [],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000015",
      },
    },
    listBatches: {
      success: true,
      data: {
        batches: [
          {
            id: "9c009b16-54fb-4998-b6b1-000000000006",
            status: "ended",
            templateId: "9c009b16-54fb-4998-b6b1-000000000001",
            templateVersion: 1,
            format: "pdf",
            output: ["documents"],
            counts: {
              total: 2,
              processing: 0,
              completed: 2,
              failed: 0,
              canceled: 0,
            },
            createdAt: "2026-11-21T20:40:14.527Z",
            startedAt: "2026-11-21T20:40:14.527Z",
            endedAt: "2026-11-21T20:40:14.527Z",
            expiresAt: "2026-11-21T20:40:14.527Z",
            resultsUrl: "https://colophon.test/api/v1/batches/9c009b16-54fb-4998-b6b1-000000000006/results",
            files: [],
            warnings: [],
          },
        ],
        pagination: {
          limit: 20,
          offset: 0,
          total: 1,
          totalIsExact: true,
          nextCursor: null,
        },
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000016",
      },
    },
    getBatch: {
      success: true,
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000006",
        status: "ended",
        templateId: "9c009b16-54fb-4998-b6b1-000000000001",
        templateVersion: 1,
        format: "pdf",
        output: ["documents"],
        counts: {
          total: 2,
          processing: 0,
          completed: 2,
          failed: 0,
          canceled: 0,
        },
        createdAt: "2026-11-21T20:40:14.527Z",
        startedAt: "2026-11-21T20:40:14.527Z",
        endedAt: "2026-11-21T20:40:14.527Z",
        expiresAt: "2026-11-21T20:40:14.527Z",
        resultsUrl: "https://colophon.test/api/v1/batches/9c009b16-54fb-4998-b6b1-000000000006/results",
        files: [],
        warnings: [],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000017",
      },
    },
    cancelBatch: {
      success: true,
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000018",
        status: "ended",
        templateId: "9c009b16-54fb-4998-b6b1-000000000019",
        templateVersion: 1,
        format: "pdf",
        output: ["documents"],
        counts: {
          total: 2,
          processing: 0,
          completed: 2,
          failed: 0,
          canceled: 0,
        },
        createdAt: "2026-11-21T20:40:14.527Z",
        startedAt: "2026-11-21T20:40:14.527Z",
        endedAt: "2026-11-21T20:40:14.527Z",
        expiresAt: "2026-11-21T20:40:14.527Z",
        resultsUrl: "https://colophon.test/api/v1/batches/9c009b16-54fb-4998-b6b1-000000000018/results",
        files: [],
        warnings: [],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000020",
      },
    },
    listTemplates: {
      success: true,
      data: {
        templates: [
          {
            id: "9c009b16-54fb-4998-b6b1-000000000001",
            title: "Short invoice",
            description: "An invoice with few fields, for these examples.",
            pageSize: "A4",
            fieldsCount: 3,
            pagesCount: 1,
            isPublished: true,
            createdAt: "2026-11-21T20:40:14.527Z",
            updatedAt: "2026-11-21T20:40:14.527Z",
          },
        ],
        pagination: {
          limit: 20,
          offset: 0,
          total: 1,
          totalIsExact: true,
          nextCursor: null,
        },
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000021",
      },
    },
    getTemplate: {
      success: true,
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000001",
        title: "Short invoice",
        description: "An invoice with few fields, for these examples.",
        pageSize: "A4",
        fieldsCount: 3,
        pagesCount: 1,
        isPublished: true,
        createdAt: "2026-11-21T20:40:14.527Z",
        updatedAt: "2026-11-21T20:40:14.527Z",
        version: 1,
        width: 794,
        height: 1123,
        orientation: "portrait",
        margin: {
          top: 48,
          right: 48,
          bottom: 48,
          left: 48,
        },
        locale: "en-US",
        locales: [],
        timeZone: "UTC",
        fields: [
          {
            key: "invoiceNumber",
            label: "Invoice number",
            type: "string",
            required: true,
            description: "",
          },
          {
            key: "dueDate",
            label: "Due date",
            type: "date",
            required: false,
            description: "Printed in the language of the template.",
          },
          {
            key: "items",
            label: "Items",
            type: "list",
            required: true,
            description: "",
            fields: [
              {
                key: "description",
                label: "Description",
                type: "string",
                required: true,
                description: "",
              },
              {
                key: "price",
                label: "Price",
                type: "number",
                required: true,
                description: "",
              },
            ],
          },
        ],
        dataSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties: {
            invoiceNumber: {
              type: "string",
              title: "Invoice number",
            },
            dueDate: {
              type: ["string", "null"],
              format: "date",
              title: "Due date",
              description: "Printed in the language of the template.",
            },
            items: {
              type: "array",
              items: {
                type: "object",
                properties: {
                  description: {
                    type: "string",
                    title: "Description",
                  },
                  price: {
                    type: "number",
                    title: "Price",
                  },
                },
                required: ["description", "price"],
              },
              title: "Items",
            },
          },
          required: ["invoiceNumber", "items"],
        },
        sampleData: {
          invoiceNumber: "PQ-2026-0417",
          dueDate: "2026-12-15",
          items: [
            {
              description: "Letterpress, 200 cards",
              price: 340,
            },
          ],
        },
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000022",
      },
    },
    getUsage: {
      success: true,
      data: {
        plan: "pro",
        period: "2026-11",
        used: 3,
        reserved: 0,
        limit: 500,
        remaining: 497,
        resetsAt: "2026-12-01T00:00:00.000Z",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000023",
      },
    },
    endLinks: {
      success: true,
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000008",
        linksEnded: true,
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000024",
      },
    },
    deleteDocument: {
      success: true,
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000008",
        deleted: true,
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000025",
      },
    },
    endBatchLinks: {
      success: true,
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000006",
        linksEnded: true,
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000026",
      },
    },
    deleteBatch: {
      success: true,
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000006",
        deleted: true,
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000027",
      },
    },
  },
  errors: {
    invalidApiKey: {
      success: false,
      error: {
        code: "INVALID_API_KEY",
        message: "The API key is missing or invalid. Send it as `Authorization: Bearer <API_KEY>`.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000028",
      },
    },
    apiAccessDenied: {
      success: false,
      error: {
        code: "API_ACCESS_DENIED",
        message: "The account's plan does not include API access.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000029",
      },
    },
    insufficientScope: {
      success: false,
      error: {
        code: "INSUFFICIENT_SCOPE",
        message: "The key lacks the scope `documents`.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000030",
      },
    },
    tooManyRequests: {
      success: false,
      error: {
        code: "TOO_MANY_REQUESTS",
        message: "The account is sending too many requests.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000031",
      },
    },
    internalError: {
      success: false,
      error: {
        code: "INTERNAL_ERROR",
        message: "Something went wrong on our side. Please include the request id when you report it.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000032",
      },
    },
    serviceUnavailable: {
      success: false,
      error: {
        code: "SERVICE_UNAVAILABLE",
        message: "The service is overloaded. Try again later.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000033",
      },
    },
    invalidQuery: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "`limit` is not a known query parameter; this request takes none.",
        details: [
          {
            path: "limit",
            message: "`limit` is not a known query parameter; this request takes none.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000034",
      },
    },
    invalidBody: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "`deviceScaleFactor` must be 1, 2 or 3.",
        details: [
          {
            path: "deviceScaleFactor",
            message: "`deviceScaleFactor` must be 1, 2 or 3.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000035",
      },
    },
    invalidData: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "`invoiceNumber` must be a string, got 417.",
        details: [
          {
            path: "data.invoiceNumber",
            message: "`invoiceNumber` must be a string, got 417.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000036",
      },
    },
    invalidBatch: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: '`output` must be ["documents"], ["merged"] or both.',
        details: [
          {
            path: "output",
            message: '`output` must be ["documents"], ["merged"] or both.',
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000037",
      },
    },
    wrongItems: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "1 of 1 item cannot be rendered. Item 0 (`PQ-2026-0417`): `invoiceNumber` must be a string, got 417.",
        details: [
          {
            path: "items.0.data.invoiceNumber",
            message: "Item 0 (`PQ-2026-0417`): `invoiceNumber` must be a string, got 417.",
            customId: "PQ-2026-0417",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000038",
      },
    },
    missingFieldsOfItems: {
      success: false,
      error: {
        code: "MISSING_FIELD",
        message:
          "1 of 1 item cannot be rendered. Item 0 (`PQ-2026-0417`): `invoiceNumber` is required. And 1 more problem.",
        details: [
          {
            path: "items.0.data.invoiceNumber",
            message: "Item 0 (`PQ-2026-0417`): `invoiceNumber` is required. And 1 more problem.",
            customId: "PQ-2026-0417",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000039",
      },
    },
    missingField: {
      success: false,
      error: {
        code: "MISSING_FIELD",
        message: "The template requires `data.invoiceNumber`, `data.items.0.price`.",
        details: [
          {
            path: "data.invoiceNumber",
            message: "`invoiceNumber` is required.",
          },
          {
            path: "data.items.0.price",
            message: "`items.0.price` is required.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000040",
      },
    },
    templateNotFound: {
      success: false,
      error: {
        code: "TEMPLATE_NOT_FOUND",
        message: "No template with this id exists in the account.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000041",
      },
    },
    templateVersionNotFound: {
      success: false,
      error: {
        code: "TEMPLATE_NOT_FOUND",
        message: "The template has no version 2; its newest version is 1.",
        details: [
          {
            path: "templateVersion",
            message: "The template has no version 2; its newest version is 1.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000042",
      },
    },
    documentNotFound: {
      success: false,
      error: {
        code: "DOCUMENT_NOT_FOUND",
        message: "No document with this id exists in the account.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000043",
      },
    },
    invalidJson: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "`expiresIn` must be a whole number of seconds from 60 to 604800.",
        details: [
          {
            path: "expiresIn",
            message: "`expiresIn` must be a whole number of seconds from 60 to 604800.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000044",
      },
    },
    batchNotFound: {
      success: false,
      error: {
        code: "BATCH_NOT_FOUND",
        message: "No batch with this id exists in the account.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000045",
      },
    },
    repeatedBatchNotFound: {
      success: false,
      error: {
        code: "BATCH_NOT_FOUND",
        message: "The batch that was created with this `Idempotency-Key` has been deleted.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000046",
      },
    },
    repeatedDocumentNotFound: {
      success: false,
      error: {
        code: "DOCUMENT_NOT_FOUND",
        message: "The document that was created with this `Idempotency-Key` has been deleted.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000047",
      },
    },
    createdFileNotFound: {
      success: false,
      error: {
        code: "DOCUMENT_NOT_FOUND",
        message: "The document 9c009b16-54fb-4998-b6b1-000000000048 was created, but its file no longer exists.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000049",
      },
    },
    createdFileUnreadable: {
      success: false,
      error: {
        code: "SERVICE_UNAVAILABLE",
        message:
          "The document 9c009b16-54fb-4998-b6b1-000000000050 exists, but its file could not be read. Download it later, or repeat the request with the same `Idempotency-Key`; without a key, a repeat creates a second document.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000051",
      },
    },
    idempotencyKeyInUse: {
      success: false,
      error: {
        code: "IDEMPOTENCY_CONFLICT",
        message: "A request with this `Idempotency-Key` is still in progress. Try again shortly.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000052",
      },
    },
    batchKeyInUse: {
      success: false,
      error: {
        code: "IDEMPOTENCY_CONFLICT",
        message: "A request with this `Idempotency-Key` is still in progress. Try again shortly.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000053",
      },
    },
    batchNotEnded: {
      success: false,
      error: {
        code: "BATCH_NOT_ENDED",
        message: "The batch has not ended. Cancel it first, and delete it after it has ended.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000054",
      },
    },
    lengthRequired: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "An NDJSON body requires the header `Content-Length`.",
        details: [
          {
            path: "",
            message: "An NDJSON body requires the header `Content-Length`.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000055",
      },
    },
    preconditionFailed: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "`If-Match` does not match the current version of the file.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000056",
      },
    },
    bodyTooLarge: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "The body is larger than 1 MiB.",
        details: [
          {
            path: "",
            message: "The body is larger than 1 MiB.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000057",
      },
    },
    batchTooLarge: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "The body is larger than 1 MiB.",
        details: [
          {
            path: "",
            message: "The body is larger than 1 MiB.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000058",
      },
    },
    unsupportedBatchBody: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "The Content-Type must be application/json or application/x-ndjson.",
        details: [
          {
            path: "",
            message: "The Content-Type must be application/json or application/x-ndjson.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000059",
      },
    },
    unsupportedBody: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "The Content-Type must be application/json.",
        details: [
          {
            path: "",
            message: "The Content-Type must be application/json.",
          },
        ],
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000060",
      },
    },
    rangeNotSatisfiable: {
      success: false,
      error: {
        code: "VALIDATION_ERROR",
        message: "`Range` lies outside the file's 21804 bytes.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000061",
      },
    },
    otherBody: {
      success: false,
      error: {
        code: "IDEMPOTENCY_CONFLICT",
        message: "This `Idempotency-Key` was used with a different body; use a new key for a new request.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000062",
      },
    },
    renderImpossible: {
      success: false,
      error: {
        code: "RENDER_FAILED",
        message: "The table is too long.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000063",
      },
    },
    renderLimitExceeded: {
      success: false,
      error: {
        code: "RENDER_LIMIT_EXCEEDED",
        message: "Monthly render limit exceeded. Current: 3/1",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000064",
      },
    },
    batchLimitExceeded: {
      success: false,
      error: {
        code: "BATCH_LIMIT_EXCEEDED",
        message: "The account has 50000 queued items and documents, which is the maximum.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000065",
      },
    },
    browserFailed: {
      success: false,
      error: {
        code: "RENDER_FAILED",
        message: "The browser failed while rendering the document.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000066",
      },
    },
    noCapacity: {
      success: false,
      error: {
        code: "RENDER_FAILED",
        message: "No browser is available at the moment. Try again shortly.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000067",
      },
    },
    renderTimedOut: {
      success: false,
      error: {
        code: "RENDER_FAILED",
        message: "The render took too long and was stopped.",
      },
      meta: {
        timestamp: "2026-11-21T20:40:14.527Z",
        requestId: "9c009b16-54fb-4998-b6b1-000000000068",
      },
    },
  },
  webhooks: {
    completed: {
      type: "document.completed",
      timestamp: "2026-11-21T20:40:14.527Z",
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000069",
        templateId: "9c009b16-54fb-4998-b6b1-000000000001",
        status: "completed",
        format: "pdf",
        pdfUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
        fileUrl: "https://files.test/files/dYPbUqr0-YrIjQvNS6LzP-J8V2SLhO1W7XaGBpbwpMs.pdf",
        createdAt: "2026-11-21T20:40:14.527Z",
        completedAt: "2026-11-21T20:40:14.527Z",
        expiresAt: null,
        filename: null,
        metadata: {},
        batchId: null,
        isTest: false,
        templateVersion: 1,
        width: 794,
        height: 1123,
        deviceScaleFactor: 2,
        imageQuality: null,
        pixelWidth: null,
        pixelHeight: null,
        pageCount: 1,
        fileSize: 21804,
        sha256: "98c7487a8a208b6d833e1a336d409472595398d27729e62a8eb1be82b3f46dd4",
        warnings: [],
        error: null,
      },
    },
    failed: {
      type: "document.failed",
      timestamp: "2026-11-21T20:40:14.527Z",
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000070",
        templateId: "9c009b16-54fb-4998-b6b1-000000000001",
        status: "failed",
        format: "pdf",
        pdfUrl: null,
        fileUrl: null,
        createdAt: "2026-11-21T20:40:14.527Z",
        completedAt: null,
        expiresAt: null,
        filename: null,
        metadata: {},
        batchId: null,
        isTest: false,
        templateVersion: 1,
        width: 794,
        height: 1123,
        deviceScaleFactor: 2,
        imageQuality: null,
        pixelWidth: null,
        pixelHeight: null,
        pageCount: null,
        fileSize: null,
        sha256: null,
        warnings: [],
        error: {
          code: "RENDER_FAILED",
          message: "The table is too long.",
        },
      },
    },
    batchCompleted: {
      type: "batch.completed",
      timestamp: "2026-11-21T20:40:14.527Z",
      data: {
        id: "9c009b16-54fb-4998-b6b1-000000000071",
        status: "ended",
        templateId: "9c009b16-54fb-4998-b6b1-000000000001",
        templateVersion: 1,
        format: "pdf",
        output: ["documents"],
        counts: {
          total: 2,
          processing: 0,
          completed: 2,
          failed: 0,
          canceled: 0,
        },
        createdAt: "2026-11-21T20:40:14.527Z",
        startedAt: "2026-11-21T20:40:14.527Z",
        endedAt: "2026-11-21T20:40:14.527Z",
        expiresAt: "2026-11-21T20:40:14.527Z",
        resultsUrl: "https://colophon.test/api/v1/batches/9c009b16-54fb-4998-b6b1-000000000071/results",
        files: [],
        warnings: [],
      },
    },
  },
};
