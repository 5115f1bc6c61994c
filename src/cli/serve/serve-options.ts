// Reads the environment variables of `npm run serve`.
import { BlockList, isIP } from "node:net";
import { parseOrigins } from "colophon-base/public-url";

export type ServeOptions = {
  host: string;
  port: number;
  /** Where callers reach the service, without a path. */
  publicUrl: URL;
  trustedProxies: BlockList;
  /** The origins that webhooks and images may go to although they are not public. */
  allowedOrigins: string[];
};

/** Throws an error that names the variable and what is allowed. */
export function readServeOptions(env: NodeJS.ProcessEnv): ServeOptions {
  if (!env["STATE_DIR"]) throw new Error("STATE_DIR must name the directory for the data, such as /var/lib/colophon");
  const host = env["HOST"] ?? "127.0.0.1";
  const port = Number(env["PORT"] ?? 8787);
  if (!(Number.isInteger(port) && port > 0 && port < 65_536)) throw new Error("PORT must be a number from 1 to 65535");
  return {
    host,
    port,
    publicUrl: readPublicUrl(env["PUBLIC_URL"] ?? `http://localhost:${port}`),
    trustedProxies: readTrustedProxies(env["TRUSTED_PROXY"] ?? ""),
    allowedOrigins: ["WEBHOOK_ALLOWED_ORIGINS", "IMAGE_ALLOWED_ORIGINS"].flatMap((name) => {
      const origins = parseOrigins(env[name] ?? "");
      if (!origins) throw new Error(`${name} must be a list of origins, such as http://127.0.0.1:9900`);
      return [...origins];
    }),
  };
}

function readPublicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search || url.hash || url.username) {
    throw new Error("PUBLIC_URL must be a URL without a path, such as https://pdf.example.com");
  }
  return url;
}

function readTrustedProxies(text: string): BlockList {
  const proxies = new BlockList();
  for (const range of text.split(",").map((part) => part.trim())) {
    if (range === "") continue;
    const [address = "", bits] = range.split("/");
    const [family, allBits] = isIP(address) === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
    try {
      proxies.addSubnet(address, Number(bits ?? allBits), family);
    } catch (cause) {
      throw new Error(`TRUSTED_PROXY must list addresses or networks, such as 10.0.0.0/8; "${range}" is neither`, {
        cause,
      });
    }
  }
  return proxies;
}
