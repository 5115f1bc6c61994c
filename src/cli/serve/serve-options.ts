// Reads the environment variables of `npm run serve`.
import { BlockList, isIP } from "node:net";
import { parseOrigins } from "colophon-base/public-url";
import { isLoopbackHost } from "colophon-base/service-url";

export type ServeOptions = {
  host: string;
  port: number;
  /** The URL of the service for callers, without a path. */
  publicUrl: URL;
  trustedProxies: BlockList;
  /** The origins that webhooks and images may use although they are not public. */
  allowedOrigins: string[];
};

/** Throws an error that names the variable and the allowed values. */
export function readServeOptions(env: NodeJS.ProcessEnv): ServeOptions {
  if (!env["STATE_DIR"]) throw new Error("STATE_DIR must name the directory for the data, such as /var/lib/colophon");
  const host = env["HOST"] || "127.0.0.1";
  const port = Number(env["PORT"] ?? 8787);
  if (!/^[1-9]\d*$/.test(env["PORT"] ?? "8787") || port > 65_535)
    throw new Error("PORT must be a number from 1 to 65535");
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
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new Error("PUBLIC_URL must be a URL without a path, such as https://pdf.example.com");
  }
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
    throw new Error(
      "PUBLIC_URL must begin with https://, because keys must not be sent over http, except to localhost",
    );
  return url;
}

function readTrustedProxies(text: string): BlockList {
  const proxies = new BlockList();
  for (const entry of text.trim() === "" ? [] : text.split(",").map((part) => part.trim())) {
    const { address, bits, family } = readNetwork(entry);
    proxies.addSubnet(address, bits, family);
  }
  return proxies;
}

/** Refuses notations that two readers may interpret differently, because a network that is too large lets others forge addresses. */
function readNetwork(entry: string): { address: string; bits: number; family: "ipv4" | "ipv6" } {
  const { address = "", bits } = /^(?<address>[^/%]+)(?:\/(?<bits>[1-9]\d{0,2}))?$/.exec(entry)?.groups ?? {};
  const [family, allBits] = isIP(address) === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
  const prefix = Number(bits ?? allBits);
  // An IPv4 address in IPv6 notation has a different number of bits.
  if (isIP(address) === 0 || prefix > allBits || /^[:0]*:ffff:/i.test(address))
    throw new Error(
      `TRUSTED_PROXY must list addresses, or networks of 1 to 32 bits (IPv6: 128), such as 10.0.0.0/8; "${entry}" is neither`,
    );
  return { address, bits: prefix, family };
}
