// The schema of a request for a link to a file.
import { z } from "zod";
import { dispositions } from "../../core/documents/links.ts";
import { createBody, secondsOfLink } from "./document-requests.ts";
import { oneOf } from "./format-rules.ts";

export const linkBody = z.strictObject(
  {
    expiresIn: secondsOfLink("expiresIn").meta({
      description: "The number of seconds after which the link ends. The default is that of the document.",
    }),
    disposition: z
      .enum(dispositions, { error: oneOf("disposition", dispositions) })
      .default("inline")
      .meta({ description: 'Whether browsers show the file ("inline", the default) or save it ("attachment").' }),
    filename: createBody.shape.filename.meta({
      description: "The name under which the file is saved. The extension of the format is added if it is missing.",
    }),
  },
  { error: (issue) => (issue.code === "invalid_type" ? "The body must be a JSON object." : undefined) },
);
