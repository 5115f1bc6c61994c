import { defineConfig } from "drizzle-kit";

export default defineConfig({ dialect: "sqlite", schema: "./src/platform/d1/schema.ts", out: "./migrations" });
