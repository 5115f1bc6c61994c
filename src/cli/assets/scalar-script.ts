// Returns the browser script of Scalar, which shows an OpenAPI document as a page.
// `@scalar/api-reference` contains the same script, but also installs the 272 packages that it was built from, with which `npm
// ci` took ten times as long. The plugin for Fastify contains only the script and serves it as a route, from which it is read
// here.
import plugin from "@scalar/fastify-api-reference";

type Reply = { header(name: string, value: string): Reply; send(body: string): void };
type Route = { url: string; handler(request: unknown, reply: Reply): void };

/** The part of the plugin's interface that is used here. The plugin's types refer to Fastify, which is not installed. */
type Plugin = (server: { route(route: Route): void }, options: object, done: (error?: Error) => void) => void;

const scriptPath = "/docs/js/scalar.js";

export function scalarScript(): string {
  let script = "";
  const reply: Reply = { header: () => reply, send: (body) => (script = body) };
  const server = { route: ({ url, handler }: Route) => url === scriptPath && handler({}, reply) };
  const options = { routePrefix: "/docs", configuration: { url: "/" } };
  (plugin as unknown as Plugin)(server, options, (error) => {
    if (error) throw error;
  });
  if (!script.includes("createApiReference"))
    throw new Error(`The plugin of Scalar serves no script at ${scriptPath}.`);
  return script.replace(/\n\/\/# sourceMappingURL=.*$/, "");
}
