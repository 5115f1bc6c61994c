// If an element has the name of a property of `document` or of a form, scripts get the element instead of the property. These
// tests check that the page script works anyway.
import { env, exports } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newTenant, post } from "../../fixtures/tenant.ts";

/** Properties of `document`. The tests add an element with each of these names. */
const members = [
  ...["createElement", "createElementNS", "createRange", "createTreeWalker", "querySelector", "querySelectorAll"],
  ...["fonts", "body", "head", "styleSheets", "documentElement", "getElementsByTagName", "getElementById", "forms"],
  ...["createComment", "createTextNode", "defaultView", "title", "location", "adoptNode", "importNode", "images"],
];

it.each(["pdf", "png"])(
  "a document whose elements have the names of DOM properties is rendered (%s)",
  async (format) => {
    const named = members.map((name) => `<img name="${name}" id="${name}"><form name="${name}"></form>`).join("");
    const inputs = ["href", "children", "style", "id", "remove", "querySelectorAll", "textContent", "parentElement"];
    inputs.push("checkVisibility", "replaceWith");
    const clobberedForm = `<form class="page-1" style="box-shadow:0 0 9px red">${inputs.map((name) => `<input name="${name}">`).join("")}<h1>In a form</h1></form>`;
    const header = `<form class="first-page">${inputs.map((name) => `<input name="${name}">`).join("")}<span class="pageNumber"></span></form>`;
    const tenant = await newTenant(env, {
      page: `${named}${clobberedForm}<a href="javascript:1">x</a><p>whole</p>`,
      content: { header, footer: named, css: ".page{background:url(data:image/png;base64,iVBORw0KGgo=)}" },
    });

    const response = await post(exports.default, tenant, {
      templateId: tenant.templateId,
      data: { name: "Ada" },
      format,
    });

    expect([response.status, await response.json()]).toMatchObject([201, { data: { status: "completed" } }]);
  },
);
