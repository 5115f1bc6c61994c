// Validates what the page asks to render, with the limits of the API.
import { z } from "zod";
import { createBody } from "../../http/documents/document-requests.ts";

const { data, format, locale, width, height } = createBody.shape;

export const renderRequest = z.object({ sample: z.string(), data: data.optional(), format, locale, width, height });
