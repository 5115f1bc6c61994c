// Correct templates, in which a push must not find anything.
import type { Template } from "./base.ts";

export const correct: [what: string, template: Template][] = [
  [
    "an order with subtotals",
    `{% assign subtotal = 0 %}
{% for item in items %}
  {% assign amount = item.quantity | times: item.price | round: 2 %}
  {% assign subtotal = subtotal | plus: amount %}
  <p>{{ forloop.index }}. {{ item.title }} {{ amount | currency: currency }}</p>
{% else %}
  <p>Nothing ordered</p>
{% endfor %}
<p>{{ subtotal | currency: currency }} {{ total | minus: subtotal | number: 2 }}</p>`,
  ],
  [
    "groups with subtotals",
    `{% assign groups = items | sort: "category" | group_by: "category" %}
{% for group in groups %}
  <h2>{{ group.name | default: "Other" }} ({{ group.items.size }})</h2>
  {% for item in group.items %}<p>{{ item.title }}</p>{% endfor %}
  <p>{{ group.items | sum: "price" | currency: "EUR" }}</p>
{% endfor %}`,
  ],
  [
    "a heading when the category changes",
    `{% for item in items %}
  {% if item.category != previous %}<h2>{{ item.category }}</h2>{% endif %}
  {% assign previous = item.category %}
  <p>{{ item.title }}</p>
{% endfor %}`,
  ],
  [
    "a variable that one branch assigns",
    `{% if isPaid %}{% assign badge = "Paid" %}{% endif %}{% if badge %}<b>{{ badge }}</b>{% endif %}`,
  ],
  [
    "a variable that holds one of two objects",
    `{% if isPaid %}{% assign party = customer %}{% else %}{% assign party = items.first.maker %}{% endif %}
<p>{{ party.name }} {{ party.email }} {{ party.country }}</p>`,
  ],
  [
    "a search by a loop",
    `{% assign best = nil %}
{% for item in items %}{% if best == nil or item.price > best.price %}{% assign best = item %}{% endif %}{% endfor %}
{% if best %}<p>{{ best.title }}</p>{% endif %}`,
  ],
  [
    "a field that a variable hides",
    `{% assign notes = notes | default: "None" | upcase %}<p>{{ notes }}</p>{% assign total = total | currency: "EUR" %}{{ total }}`,
  ],
  ["paragraphs of a text", `{% assign paragraphs = notes | split: "\\n\\n" %}{% for text in paragraphs %}<p>{{ text | strip }}</p>{% endfor %}`],
  ["the pairs of an object", `{% for pair in customer %}<p>{{ pair[0] }}: {{ pair[1] | json }}</p>{% endfor %}`],
  ["a key that a variable holds", `{% assign key = "name" %}<p>{{ customer[key] }}</p><p>{{ customer["email"] }}</p>`],
  ["a name that a variable holds", `{% assign key = "number" %}<p>{{ [key] }}</p>`],
  ["an index that a variable holds", `{% assign last = items.size | minus: 1 %}<p>{{ items[last].title }} {{ items[-1].title }}</p>`],
  [
    "the ends of lists and strings",
    `<p>{{ items.first.title }} {{ items.last.maker.name }} {{ tags.first }} {{ tags.size }} {{ number.size }} {{ customer.name.first }} {{ customer.size }}</p>`,
  ],
  [
    "nested loops with their states",
    `{% for item in items %}{% for part in item.parts %}
<p>{{ forloop.parentloop.index }}.{{ forloop.index }} {{ part.label }} {{ part.weight | number: 1 }} {{ forloop.parentloop.last }}</p>
{% endfor %}{% endfor %}`,
  ],
  [
    "a table by columns",
    `<table>{% tablerow item in items cols: 2 limit: 4 %}{{ item.title }} {{ tablerowloop.col }} {{ tablerowloop.col_last }}{% endtablerow %}</table>`,
  ],
  [
    "ranges, limits and offsets",
    `{% for i in (1..pieces) %}<i>{{ i }}</i>{% endfor %}{% for item in items limit: pieces offset: 1 %}<p>{{ item.title }}</p>{% endfor %}{% for item in items offset: continue %}<p>{{ item.title }}</p>{% endfor %}`,
  ],
  [
    "captures",
    `{% capture line %}{{ customer.name }}, {{ customer.address.city }}{% endcapture %}<p>{{ line }} {{ line.size }}</p>`,
  ],
  [
    "counters and cycles",
    `{% for item in items %}<p class="{% cycle 'odd', 'even' %}">{% increment row %} {{ item.title }}</p>{% endfor %}<p>{{ row }}</p>`,
  ],
  [
    "cases",
    `{% case currency %}{% when "EUR", "USD" %}<p>€ or $</p>{% when nil %}<p>-</p>{% else %}<p>{{ currency }}</p>{% endcase %}
{% case pieces %}{% when 1 %}one{% when 2 or 3 %}some{% endcase %}`,
  ],
  [
    "comparisons",
    `{% if total > 0 and pieces >= 1 or isPaid == false %}a{% endif %}
{% if number contains "2026" and tags contains "gift" %}b{% endif %}
{% if notes == blank or tags == empty or customer.email == nil %}c{% endif %}
{% if issuedOn > "2026-01-01" %}d{% endif %}{% unless items.size == 0 %}e{% endunless %}`,
  ],
  [
    "filters that take properties",
    `{% assign local = items | where: "maker.country", "NL" | sort: "price" | reverse %}
<p>{{ local.first.title }} {{ items | map: "maker" | map: "name" | compact | uniq | join: ", " }}</p>
{% assign found = items | find: "title", "Lamp" %}<p>{{ found.price | currency: "EUR" }}</p>
{% assign parts = items | map: "parts" | where: "label", "Bulb" %}<p>{{ parts.first.weight }}</p>
{% if items | size %}{% endif %}`.replace("{% if items | size %}{% endif %}", ""),
  ],
  ["lists that are joined", `{% assign all = tags | concat: tags | uniq %}<p>{{ all | join: ", " }} {{ tags | array_to_sentence_string }}</p>`],
  [
    "a list that grows",
    `{% assign names = "" | split: "" %}{% for item in items %}{% assign names = names | push: item.title %}{% endfor %}<p>{{ names | sort | join: " · " }}</p>`,
  ],
  [
    "dates and times",
    `<p>{{ issuedOn | date: "long" }} {{ shippedAt | time: "short", "Europe/Berlin" }} {{ "now" | date: "%-d. %B %Y" }} {{ shippedAt | date: "%H:%M", "UTC" }} {{ document.createdAt | date }}</p>`,
  ],
  [
    "numbers and plurals",
    `<p>{{ total | currency: currency, 0 }} {{ total | currency: "jpy" }} {{ 0.19 | percent: 1 }} {{ pieces }} {{ pieces | plural: "item", "items" }} {{ pieces | plural: one: "plik", few: "pliki", other: "plików" }} {{ total | divided_by: 2.0 | round | at_least: 1 }}</p>`,
  ],
  ["codes", `<div>{{ number | qr_code }}</div><div>{{ number | barcode }}</div><div>{{ number | barcode: "datamatrix" }}</div><div>{{ number | barcode: "code128", 12 }}</div>`],
  [
    "a header and a footer",
    {
      "header.liquid": `{% if page.number > 1 %}<p>{{ page.section }} {{ page.sectionNumber }}/{{ page.sectionTotal }}</p>{% endif %}`,
      "footer.liquid": `<p>{{ number }} · <span class="pageNumber"></span> of {{ page.total }}</p>`,
    },
  ],
  [
    "a `liquid` tag",
    `{% liquid
  assign sum = 0
  for item in items
    assign sum = sum | plus: item.price
  endfor
  echo sum
%}`,
  ],
  [
    "a template without fields",
    {
      "template.json": JSON.stringify({ title: "Sign", pageSize: "A5", fields: [] }),
      "sample.json": "{}",
      "pages/1.liquid": "<h1>Closed</h1><p>{{ document.id }}</p>",
    },
  ],
];
