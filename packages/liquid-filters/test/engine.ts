// Renders Liquid with the filters of documents in tests.
import * as engine from "../../liquid/test/engine.ts";
import { documentFilters, type DocumentScope } from "../src/filters.ts";

type Data = Record<string, unknown>;
type Options = Omit<engine.LiquidOptions, "scope"> & { scope?: Partial<DocumentScope> };

export const rendered = (source: string, data: Data = {}, options: Options = {}) =>
  engine.rendered(source, data, { filters: documentFilters, ...options });

export const textOf = (source: string, data: Data = {}, options: Options = {}) =>
  engine.textOf(source, data, { filters: documentFilters, ...options });

export const problemOf = (source: string, data: Data = {}, options: Options = {}) =>
  engine.problemOf(source, data, { filters: documentFilters, ...options });
