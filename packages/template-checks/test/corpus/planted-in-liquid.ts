// Pages with one mistake each in their Liquid, and the message about it.

export const plantedInLiquid: Record<string, string> = {
  '{{ total | number: "0.00" }}': '1: `"0.00"` is not a number of decimals; write `number: 2`',
  '{{ total | percent: "#,##0.0%" }}': '1: `"#,##0.0%"` is not a number of decimals; write `percent: 1`',
  '{{ total | currency: "EUR", "0.00" }}': '1: `"0.00"` is not a number of decimals; write `currency: "EUR", 2`',
  '{{ total | currency: "EUX" }}': "1: there is no currency `EUX`; write an ISO 4217 code such as `EUR`",
  '{{ issuedOn | date: "dd.MM.yyyy" }}':
    "warning 1: the language decides the order and punctuation of `dd.MM.yyyy`; write `%d.%m.%Y` for exactly this, or `ddMMyyyy`",
  '{{ issuedOn | date: "DD/MM/YYYY" }}':
    "1: the language decides the order and punctuation of `DD/MM/YYYY`; write `%d/%m/%Y` for exactly this, or `ddMMyyyy`",
  '{{ issuedOn | date: "%d.%m.%Q" }}': "1: there is no directive `%Q` for dates, so it is printed unchanged",
  '{{ issuedOn | date: "%d.MM.%Y" }}': "1: `MM` is printed unchanged next to directives; write `%m`",
  '{{ customer.name | currency: "EUR" }}':
    "warning 1: `currency` prints text that is not a number unchanged; make it a number in template.json or with a filter such as `times: 1`",
  "<p>\n{{ numbr }}</p>": "2: `numbr`: did you mean `number`?",
  "{% for item in items %}\n<p>{{ item.prise }}</p>\n{% endfor %}": "2: `item.prise`: did you mean `item.price`?",
  "\n{{ customer.address.citty }}": "2: `customer.address.citty`: did you mean `customer.address.city`?",
  "{{ customer.phone }}": "1: `customer.phone` does not exist: `customer` has only `name`, `email`, `address`",
  "{{ reference }}": "1: `reference` is neither a field in template.json nor a variable",
  "{% for item in items %}\n{{ price }}\n{% endfor %}": "2: `price`: did you mean `item.price`?",
  "{{ email }}": "1: `email`: did you mean `customer.email`?",
  "{% for item in items %}{{ item.title }}{% endfor %}\n{{ item.price }}":
    "2: `item` exists only inside the loop on line 1",
  "{% for item in items %}\n{% for part in item.parts %}\n{{ part.price }}{% endfor %}{% endfor %}":
    "3: `part.price` does not exist: `part` has only `label`, `weight`",
  "{{ total.amount }}": "1: `total.amount` does not exist: `total` is a number and has no properties",
  "\n{{ items.title }}":
    "2: `items.title` does not exist: `items` is a list; read `title` from its items in a loop, or write `items.first.title`",
  "{% if items.length > 1 %}x{% endif %}": "1: `items.length`: did you mean `items.size`?",
  "{{ items[0].titel }}": "1: `items[0].titel`: did you mean `items[0].title`?",
  '{{ customer["nmae"] }}': '1: `customer["nmae"]`: did you mean `customer["name"]`?',
  "{% if isPaid %}\na\n{% elsif totl > 1 %}\nb\n{% endif %}": "3: `totl`: did you mean `total`?",
  "{% case\n curency %}{% when 'EUR' %}x{% endcase %}": "2: `curency`: did you mean `currency`?",
  "<ul>\n{% for item in itmes %}<li></li>{% endfor %}</ul>": "2: `itmes`: did you mean `items`?",
  "{{ total\n | currency: curency }}": "2: `curency`: did you mean `currency`?",
  "{% for item in items %}{{ forloop.indx }}{% endfor %}": "1: `forloop.indx`: did you mean `forloop.index`?",
  "{{ forloop.index }}": "1: `forloop` exists only inside `for`",
  "{{ subtotal }}\n{% assign subtotal = 0 %}": "1: `subtotal` is assigned only later, on line 2",
  "{% assign subtotal = 0 %}\n{% for item in items %}{% assign subtotal = subtotal | plus: item.price %}{% endfor %}\n{{ subtotl }}":
    "3: `subtotl`: did you mean `subtotal`?",
  "{{ page.number }}": "1: `page` exists only in headers and footers",
  "{{ document.creatdAt }}": "1: `document.creatdAt`: did you mean `document.createdAt`?",
  "{% assign buyer = customer %}\n{{ buyer.nam }}": "2: `buyer.nam`: did you mean `buyer.name`?",
  '{{ items | map: "prise" | join: ", " }}': '1: `map: "prise"`: did you mean `map: "price"`?',
  '{% assign local = items | where: "maker.contry", "NL" %}{{ local.size }}':
    '1: `where: "maker.contry"`: did you mean `where: "maker.country"`?',
  '{% assign makers = items | map: "maker" %}\n{{ makers.first.nam }}':
    "2: `makers.first.nam`: did you mean `makers.first.name`?",
  "\n{{ items | map: price | join }}":
    '2: `map: price`: did you mean `map: "price"`? The name of a property must be in quotes',
  '{% assign groups = items | group_by: "category" %}\n{% for group in groups %}{{ group.title }}{% endfor %}':
    "2: `group.title` does not exist: `group` has only `name`, `items`, `size`",
  '{% assign groups = items | group_by: "category" %}\n{% for group in groups %}\n{% for item in group.items %}{{ item.pric }}{% endfor %}{% endfor %}':
    "3: `item.pric`: did you mean `item.price`?",
  "<p>{{ customer }}</p>": "1: `customer` is an object, so this prints JSON; print a property of it",
  "<p>{{ items }}</p>": "1: `items` is a list of objects, so this prints JSON; print a property of it in a loop",
  "{{ tags }}":
    'warning 1: `tags` is a list, so this prints its items without anything between them; write `join: ", "`',
  "{% for n in pieces %}{{ n }}{% endfor %}":
    "1: `pieces` is a number, so there is nothing to loop over; a loop needs a list",
  "{% for line in customer %}\n{{ line.name }}{% endfor %}":
    "2: `line.name` does not exist: `line` is a list, which has only items, `first`, `last`, `size`",
  '\n{% if total == "0" %}x{% endif %}': '2: `total` is a number and `"0"` is a string, so they are never equal',
  "{% if isPaid %}\n{% elsif number > 5 %}x{% endif %}":
    "2: `number` is a string and `5` is a number, so they cannot be compared",
  "{% if items > 3 %}x{% endif %}": "1: `items` is a list of objects and `3` is a number, so they cannot be compared",
  "{% case total %}\n{% when 'free' %}x{% endcase %}":
    '2: `total` is a number and `"free"` is a string, so they are never equal',
  "{% if isPaid == True %}x{% endif %}": "1: `True`: did you mean `true`?",
  "{{ number.length }}": "1: `number.length`: did you mean `number.size`?",
  "<img src=\"{{ 'Logo.SVG' | asset }}\">": "1: there is no file assets/Logo.SVG; did you mean `logo.svg`?",
  "{% unless isPaid %}\n{{ total | currency: 'EURO' }}{% endunless %}":
    '2: currency needs an ISO 4217 code, got "EURO"',
  "{{ shippedAt | date: 'long', 'Europe/Pari' }}": '1: `date`: there is no time zone "Europe/Pari"',
  "{% unless isPaid %}{{ total | divided_by: 0 }}{% endunless %}": "1: `divided_by`: nothing can be divided by 0",
  "\n{% unless isPaid %}{{ number | slice: 'a' }}{% endunless %}": "2: the start of `slice` must be a whole number",
  '\n{{ total | currency: "EUR" | times: 2 }}':
    "2: the filter `times` needs a number, and `total | currency` is text for readers",
  "{% for item in items limit: pices %}x{% endfor %}": "1: `pices`: did you mean `pieces`?",
  "{% for i in (1..pices) %}{{ i }}{% endfor %}": "1: `pices`: did you mean `pieces`?",
  "{% for i in (pices..9) %}{{ i }}{% endfor %}": "1: `pices`: did you mean `pieces`?",
  "{% for i in (1..pieces) %}{{ i.x }}{% endfor %}": "1: `i.x` does not exist: `i` is a number and has no properties",
  "{% tablerow item in items cols: pices %}x{% endtablerow %}": "1: `pices`: did you mean `pieces`?",
  "{{ tablerowloop.col }}": "1: `tablerowloop` exists only inside `tablerow`",
  "{% cycle nubmer: 'a', 'b' %}": "1: `nubmer`: did you mean `number`?",
  "{% cycle 'a', nubmer %}": "1: `nubmer`: did you mean `number`?",
  "{% for tag in tags %}{% ifchanged %}\n{{ tga }}{% endifchanged %}{% endfor %}": "2: `tga`: did you mean `tag`?",
  '{% for x in "abc" %}{% endfor %}': '1: `"abc"` is a string, so there is nothing to loop over; a loop needs a list',
  "{{ [nubmer] }}": "1: `nubmer`: did you mean `number`?",
  "{{ customer[nubmer] }}": "1: `nubmer`: did you mean `number`?",
  "{{ items[pieces].titel }}": "1: `items[…].titel`: did you mean `items[…].title`?",
  "{{ tags.foo }}": "1: `tags.foo` does not exist: `tags` is a list, which has only items, `first`, `last`, `size`",
  "{% for item in items %}{{ forloop.foo }}{% endfor %}":
    "1: `forloop.foo` does not exist: `forloop` has only `index`, `index0`, `rindex`, `rindex0`, `length`, `col`, `col0`, `row` and 6 more",
  '{{ items | map: "maker.phone" | join }}':
    '1: `map: "maker.phone"`: `phone` does not exist: `maker` has only `name`, `country`',
  "{{ (1..3) }}":
    'warning 1: `(1..3)` is a list, so this prints its items without anything between them; write `join: ", "`',
  "{{ 5.50 | join }}": "1: the filter `join` needs a list, and `5.5` is a number",
  '{% if total <> "0" %}x{% endif %}': '1: `total` is a number and `"0"` is a string, so they are never equal',
  "{% if isPaid != 1 %}x{% endif %}":
    "warning 1: `isPaid` is true or false and `1` is a number, so they are never equal",
};
