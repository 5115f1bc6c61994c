// The creates that take the most memory in a Worker. Each has a separate account and template.
import { field } from "colophon-test-kit/template-content";
import { type TenantOptions } from "../../test/fixtures/tenant.ts";

/** The port on which `run.ts` serves pictures of almost 5 MB, all of them different. */
export const imagePort = 8896;
export const imageOrigin = `http://127.0.0.1:${imagePort}`;
export const imagePaths = Array.from({ length: 6 }, (_, index) => `/${index}.png`);

/** The longest string that fits into a body of 1 MiB, with three bytes per character. */
const longText = () => "€".repeat(340_000);

export const largeCreates: Record<string, { tenant: () => TenantOptions; data?: () => object }> = {
  "large template": {
    tenant: () => ({
      page: "<p>€</p>",
      content: { assets: { "photo.png": { contentType: "image/png", base64: "A".repeat(19_900_000) } } },
    }),
  },
  "large markup": {
    tenant: () => ({ fields: [field("text", "string")], page: "{% for i in (1..5) %}<p>{{ text }}</p>{% endfor %}" }),
    data: () => ({ text: longText() }),
  },
  "large images": {
    tenant: () => ({
      fields: [field("list", "list", { fields: [field("image", "image")] })],
      page: '{% for item in list %}<img src="{{ item.image }}">{% endfor %}',
    }),
    data: () => ({ list: imagePaths.map((path) => ({ image: `${imageOrigin}${path}` })) }),
  },
  "large data": {
    tenant: () => ({ fields: [field("list", "list", { fields: [field("a", "number")] })], page: "{{ list.size }}" }),
    data: () => ({ list: Array.from({ length: 130_000 }, () => ({ a: 1 })) }),
  },
};
