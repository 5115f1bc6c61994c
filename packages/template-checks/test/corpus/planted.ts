// Templates with one mistake each, with the line of the mistake and the message about it.
import type { Template } from "./base.ts";
import { plantedInLiquid } from "./planted-in-liquid.ts";
import { plantedInMarkup } from "./planted-in-markup.ts";

type Planted = [template: Template, message: string];

/** Mistakes in headers, footers, parts and layouts. */
const plantedInFiles: Planted[] = [
  [{ "footer.liquid": "<p>\n{{ page.totl }}</p>" }, "2: `page.totl`: did you mean `page.total`?"],
  [
    { "header.liquid": "\n{{ page.values.total.last }}", "pages/1.liquid": "<p data-page-value-carried=1>x</p>" },
    "2: `page.values.total` does not exist: `page.values` has only `carried`",
  ],
  [
    { "footer.liquid": "{{ page.values.total.last }}" },
    "1: `page.values.total` does not exist: `page.values` has no properties",
  ],
  [
    { "footer.liquid": "{{ page.values.n.final }}", "pages/1.liquid": "<p data-page-value-n=1>x</p>" },
    "1: `page.values.n.final` does not exist: `page.values.n` has only `first`, `last`, `start`",
  ],

  [
    {
      "pages/1.liquid": '{% render "head", data: data %}',
      "parts/head.liquid": '{% render "inner" with data as order %}',
      "parts/inner.liquid": "{{ order.number }}\n{{ order.customer.nam }}",
    },
    "2: `order.customer.nam`: did you mean `order.customer.name`?",
  ],
  [
    { "pages/1.liquid": '{% render "head" %}', "parts/head.liquid": "{{ data.number }}" },
    '1: `data` is what the page reads, but a part reads only what is passed to it, as in `{% render "head", data: data %}`',
  ],
  [
    {
      "pages/1.liquid": '{% for item in items %}{% render "row", item: item %}{% endfor %}',
      "parts/row.liquid": "<p>\n{{ item.prise }}</p>",
    },
    "2: `item.prise`: did you mean `item.price`?",
  ],
  [
    {
      "pages/1.liquid": '{% render "row" for items as line %}',
      "parts/row.liquid": "{{ forloop.index }}\n{{ line.titel }}",
    },
    "2: `line.titel`: did you mean `line.title`?",
  ],
  [
    {
      "pages/1.liquid": '{% for item in items %}{% render "row", item: item %}{% endfor %}',
      "parts/row.liquid": '{% render "maker", maker: item.maker %}',
      "parts/maker.liquid": "\n\n{{ maker.contry }}",
    },
    "3: `maker.contry`: did you mean `maker.country`?",
  ],
  [
    { "pages/1.liquid": '{% render "head" %}', "parts/head.liquid": "<h1>\n{{ number }}</h1>" },
    '2: `number` is a field, but a part reads only what is passed to it, as in `{% render "head", number: number %}`',
  ],
  [
    { "pages/1.liquid": '{% render "head", titel: number %}', "parts/head.liquid": "{{ title }}" },
    "1: `title`: did you mean `titel`?",
  ],
  [
    {
      "pages/1.liquid": '{% render "head", title: number %}',
      "parts/head.liquid": "{{ title }}\n{% if titel %}x{% endif %}",
    },
    "2: `titel`: did you mean `title`?",
  ],
  [
    { "pages/1.liquid": '{% render "head" %}', "parts/head.liquid": '\n{% if remark == "x" %}x{% endif %}' },
    "2: `remark` is neither passed to the part `head` nor a variable in it",
  ],
  [
    { "pages/1.liquid": '{% render "head", title: number %}', "parts/head.liquid": "{{ title }}\n{{ colour }}" },
    "2: `colour` is neither passed to the part `head` nor a variable in it",
  ],
  [
    { "pages/1.liquid": '<p>x</p>\n{% render "head", title: numbr %}', "parts/head.liquid": "{{ title }}" },
    "2: `numbr`: did you mean `number`?",
  ],
  [
    { "pages/1.liquid": '{% render "day", day: isPaid %}', "parts/day.liquid": "\n{{ day | date }}" },
    "2: the filter `date` needs a date, and `day` is true or false",
  ],
  [
    {
      "pages/1.liquid": '{% layout "base" %}{% block body %}<p>{{ number }}</p>{% endblock %}',
      "parts/base.liquid": "<main>{% block body %}{% endblock %}\n{{ custmer.name }}</main>",
    },
    "2: `custmer`: did you mean `customer`?",
  ],
  [
    {
      "pages/1.liquid": '{% layout "base" %}\n{% block body %}<p>{{ numbr }}</p>{% endblock %}',
      "parts/base.liquid": "<main>{% block body %}{% endblock %}</main>",
    },
    "2: `numbr`: did you mean `number`?",
  ],
  [
    { "pages/1.liquid": '<p>x</p>\n{% render "ROW", number: number %}', "parts/row.liquid": "{{ number }}" },
    "2: there is no part `ROW`; did you mean `row`?",
  ],
  [
    { "pages/1.liquid": '{% render "box" %}', "parts/box.liquid": "<p>x</p>\n<div>y" },
    "warning 2: `<div>` is never closed",
  ],
];

/** The message begins with the line. Unless the finding is an error, `warning` precedes the line. */
export const planted: Planted[] = [...Object.entries({ ...plantedInLiquid, ...plantedInMarkup }), ...plantedInFiles];
