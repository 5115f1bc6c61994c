// Correct templates, for which a push must not report anything.
import type { Template } from "./base.ts";

export const correct: Record<string, Template> = {
  "a part with arguments that a caller leaves out": {
    "pages/1.liquid": '{% render "head", title: number %}',
    "parts/head.liquid":
      "{{ title }}{% if remark %}{{ remark | upcase }}{% endif %}{% unless plain and wide %}<b>!</b>{% endunless %}",
  },
  "an order with subtotals": `{% assign subtotal = 0 %}
{% for item in items %}
  {% assign amount = item.quantity | times: item.price | round: 2 %}
  {% assign subtotal = subtotal | plus: amount %}
  <p>{{ forloop.index }}. {{ item.title }} {{ amount | currency: currency }}</p>
{% else %}
  <p>Nothing ordered</p>
{% endfor %}
<p>{{ subtotal | currency: currency }} {{ total | minus: subtotal | number: 2 }}</p>`,
  "groups with subtotals": `{% assign groups = items | sort: "category" | group_by: "category" %}
{% for group in groups %}
  <h2>{{ group.name | default: "Other" }} ({{ group.size }} of {{ group.items.size }})</h2>
  {% for item in group.items %}<p>{{ item.title }}</p>{% endfor %}
  <p>{{ group.items | sum: "price" | currency: "EUR" }}</p>
{% endfor %}`,
  "a variable that one branch assigns": `{% if isPaid %}{% assign badge = "Paid" %}{% endif %}{% if badge %}<b>{{ badge }}</b>{% endif %}`,
  "a variable that holds one of two objects": `{% if isPaid %}{% assign party = customer %}{% else %}{% assign party = items.first.maker %}{% endif %}
<p>{{ party.name }} {{ party.email }} {{ party.country }}</p>`,
  "a search by a loop": `{% assign best = nil %}
{% for item in items %}{% if best == nil or item.price > best.price %}{% assign best = item %}{% endif %}{% endfor %}
{% if best %}<p>{{ best.title }}</p>{% endif %}`,
  "a field that a variable hides": `{% assign notes = notes | default: "None" | upcase %}<p>{{ notes }}</p>{% assign total = total | currency: "EUR" %}{{ total }}`,
  "paragraphs of a text": `{% assign paragraphs = notes | split: "\\n\\n" %}{% for text in paragraphs %}<p>{{ text | strip }}</p>{% endfor %}`,
  "the pairs of an object": `{% for pair in customer %}<p>{{ pair[0] }}: {{ pair[1] | json }}</p>{% endfor %}`,
  "a key that a variable holds": `{% assign key = "name" %}<p>{{ customer[key] }}</p><p>{{ customer["email"] }}</p>`,
  "a name that a variable holds": `{% assign key = "number" %}<p>{{ [key] }}</p>`,
  "an index that a variable holds": `{% assign last = items.size | minus: 1 %}<p>{{ items[last].title }} {{ items[-1].title }}</p>`,
  "the ends of lists and strings": `<p>{{ items.first.title }} {{ items.last.maker.name }} {{ tags.first }} {{ tags.size }} {{ number.size }} {{ customer.name.first }} {{ customer.size }}</p>`,
  "nested loops with their states": `{% for item in items %}{% for part in item.parts %}
<p>{{ forloop.parentloop.index }}.{{ forloop.index }} {{ part.label }} {{ part.weight | number: 1 }} {{ forloop.parentloop.last }}</p>
{% endfor %}{% endfor %}`,
  "a table by columns": `<table>{% tablerow item in items cols: 2 limit: 4 %}{{ item.title }} {{ tablerowloop.col }} {{ tablerowloop.col_last }}{% endtablerow %}</table>`,
  "ranges, limits and offsets": `{% for i in (1..pieces) %}<i>{{ i }}</i>{% endfor %}{% for item in items limit: pieces offset: 1 %}<p>{{ item.title }}</p>{% endfor %}{% for item in items offset: continue %}<p>{{ item.title }}</p>{% endfor %}`,
  captures: `{% capture line %}{{ customer.name }}, {{ customer.address.city }}{% endcapture %}<p>{{ line }} {{ line.size }}</p>`,
  "counters and cycles": `{% for item in items %}<p class="{% cycle 'odd', 'even' %}">{% increment row %} {{ item.title }}</p>{% endfor %}<p>{{ row }}</p>`,
  cases: `{% case currency %}{% when "EUR", "USD" %}<p>€ or $</p>{% when nil %}<p>-</p>{% else %}<p>{{ currency }}</p>{% endcase %}
{% case pieces %}{% when 1 %}one{% when 2 or 3 %}some{% endcase %}`,
  comparisons: `{% if total > 0 and pieces >= 1 or isPaid == false %}a{% endif %}
{% if number contains "2026" and tags contains "gift" %}b{% endif %}
{% if notes == blank or tags == empty or customer.email == nil %}c{% endif %}
{% if issuedOn > "2026-01-01" %}d{% endif %}{% unless items.size == 0 %}e{% endunless %}`,
  "filters that take properties": `{% assign local = items | where: "maker.country", "NL" | sort: "price" | reverse %}
<p>{{ local.first.title }} {{ items | map: "maker" | map: "name" | compact | uniq | join: ", " }}</p>
{% assign found = items | find: "title", "Lamp" %}<p>{{ found.price | currency: "EUR" }}</p>
{% assign parts = items | map: "parts" | where: "label", "Bulb" %}<p>{{ parts.first.weight }}</p>`,
  "lists that are joined": `{% assign all = tags | concat: tags | uniq %}<p>{{ all | join: ", " }} {{ tags | array_to_sentence_string }}</p>`,
  "a list that grows": `{% assign names = "" | split: "" %}{% for item in items %}{% assign names = names | push: item.title %}{% endfor %}<p>{{ names | sort | join: " · " }}</p>`,
  "dates and times": `<p>{{ issuedOn | date: "long" }} {{ shippedAt | time: "short", "Europe/Berlin" }} {{ "now" | date: "%-d. %B %Y" }} {{ shippedAt | date: "%H:%M", "UTC" }} {{ document.createdAt | date }}</p>`,
  "numbers and plurals": `<p>{{ total | currency: currency, 0 }} {{ total | currency: "jpy" }} {{ 0.19 | percent: 1 }} {{ pieces }} {{ pieces | plural: "item", "items" }} {{ pieces | plural: one: "plik", few: "pliki", other: "plików" }} {{ total | divided_by: 2.0 | round | at_least: 1 }}</p>`,
  codes: `<div>{{ number | qr_code }}</div><div>{{ number | barcode }}</div><div>{{ number | barcode: "datamatrix" }}</div><div>{{ number | barcode: "code128", 12 }}</div>`,
  "a header and a footer": {
    "header.liquid": `{% if page.number > 1 %}<p>{{ page.section }} {{ page.sectionNumber }}/{{ page.sectionTotal }}</p>{% endif %}`,
    "footer.liquid": `<p>{{ number }} · <span class="pageNumber"></span> of {{ page.total }}</p>`,
  },
  "a header with page values": {
    "header.liquid": `{% if page.values.carried.start %}{{ page.values.carried.start | currency: "EUR" }}{% endif %}{% assign entry = page.values["entry"] %}{{ entry.first }}`,
    "pages/1.liquid": `<table>{% for item in items %}<tr data-page-value-carried="{{ item.price }}"><td data-page-value-entry='{{ item.title }}'>x</td></tr>{% endfor %}</table>`,
  },
  "a `liquid` tag": `{% liquid
  assign sum = 0
  for item in items
    assign sum = sum | plus: item.price
  endfor
  echo sum
%}`,
  "a template without fields": {
    "template.json": JSON.stringify({ title: "Sign", pageSize: "A5", fields: [] }),
    "sample.json": "{}",
    "pages/1.liquid": "<h1>Closed</h1><p>{{ document.id }}</p>",
  },
  "a whole HTML page": `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Order {{ number }}</title><style>body { margin: 0 } .a { color: #123 }</style></head>
<body class="order"><h1>Order</h1><p>{{ number }}<br>{{ issuedOn | date }}</p></body>
</html>`,
  "an element around an optional link": `{% if customer.email %}<a href="mailto:{{ customer.email }}">{% endif %}{{ customer.name }}{% if customer.email %}</a>{% endif %}`,
  "an attribute with a value in each branch": `<p title={% if isPaid %}"paid"{% else %}"open"{% endif %}>{{ total }}</p>`,
  "an element that begins in two branches": `{% if isPaid %}<div class="paid">{% else %}<div class="open">{% endif %}<p>{{ total }}</p></div>`,
  "rows of two columns": `<div class="row">{% for item in items %}{% assign odd = forloop.index0 | modulo: 2 %}
  {% if odd == 0 and forloop.index0 > 0 %}</div><div class="row">{% endif %}<div>{{ item.title }}</div>
{% endfor %}</div>`,
  "rows that are captured": `{% capture rows %}{% for item in items %}<tr><td>{{ item.title }}</td><td>{{ item.price }}</td></tr>{% endfor %}{% endcapture %}
<table><thead><tr><th>Title</th><th>Price</th></tr></thead><tbody>{{ rows | raw }}</tbody></table>`,
  "a table with optional parts": `<table><caption>Items</caption><colgroup><col><col span="2"></colgroup>
{% if items.size > 0 %}<thead><tr><th scope="col">Title</th>{% if isPaid %}<th>Paid</th>{% endif %}</tr></thead>{% endif %}
<tbody>{% for item in items %}<tr{% if forloop.last %} class="last"{% endif %}><td>{{ item.title }}</td>
<td>{% if item.price %}<table><tr><td>{{ item.price }}</td></tr></table>{% endif %}</td></tr>{% else %}<tr><td colspan="2">None</td></tr>{% endfor %}</tbody>
</table>`,
  "end tags that are left out": `<ul><li>a<li>b</ul><table><tr><td>1<td>2<tr><td>3<td>4</table><dl><dt>a<dd>b<dt>c<dd>d</dl><p>x<p>y`,
  "attributes with Liquid": `<p class="a{% if isPaid %} paid{% endif %}"{% if notes %} title="{{ notes }}"{% endif %} style="width:{{ pieces }}mm">x</p>
<h{{ pieces }}>x</h{{ pieces }}><h{{ pieces }}>x</h{{ number }}><i{% if isPaid %} class='a'{% else %} class='b'{% endif %}></i>`,
  "images of every kind": `<img src="{{ 'logo.svg' | asset }}" alt=""><img src="{{ logo }}" alt=""><img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" alt="">
{% assign file = "photo.gif" %}<img src='{{ file | asset }}' srcset="{{ 'photo.gif' | asset }} 2x" alt=""><div style="background:url({{ 'logo.svg' | asset }})"></div>`,
  "`data:` URIs of images, fonts and nothing": `<img src="data:image/png;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" alt=""><img src="data:image/bmp;base64,Qk06" alt=""><img src="data:image/x-icon;base64,AAABAA==" alt="">
<img src="data:image/png;base64,{{ notes }}" alt=""><img srcset="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA= 2x" alt=""><p style="background:url(data:,)">x</p><p style="background:url(data:application/octet-stream;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=)">x</p>
<style>@font-face { font-family: F; src: url(data:font/woff2;base64,d09GMg==), url(data:application/vnd.ms-fontobject;base64,AAAA), url(data:;base64,AAAA) } .a { background: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E") }</style>
<a href="#x">x</a><i id="x" title="data:text/html,x">data:text/html,x</i>`,
  "attributes like those of scripts that load images": `<img src="{{ logo }}" data-src="x" loading="lazy" alt=""><img srcset="{{ logo }} 2x" data-original="x" alt=""><div data-src="x" data-source="y">x</div><picture><source srcset="{{ logo }}"><img alt=""></picture><img alt="" data-id="1"><img alt="" style="content: url({{ 'logo.svg' | asset }})"><img {% if logo %}src="{{ logo }}"{% endif %} alt="">
<video poster="{{ logo }}"></video>`,
  drawings: `<svg viewBox="0 0 10 10" role="img"><title>Chart</title><defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs>
<style>.a { fill: url(#g) }</style><g>{% for item in items %}<rect x="{{ forloop.index }}" width="1" height="{{ item.price }}" class="a"/>{% endfor %}</g>
<use href="#g"/><foreignObject width="5" height="5"><div>a<br>b<p>c</p></div></foreignObject><path d="M0 0h1"></path></svg>`,
  "a formula": `<math display="block" alttext="x"><semantics><mrow><mi mathvariant="normal">d</mi><mi mathvariant="italic">x</mi><mn mathvariant="normal">1</mn>
<mspace width="0.1667em" height="0" depth="1ex"/><mo lspace="0em" rspace="+0.2em" stretchy="false" minsize="1.2em" maxsize="infinity">(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mfrac linethickness="medium" bevelled="false"><mi>n</mi><mi>k</mi></mfrac>
<mpadded lspace="-0.2em" width="200%" voffset="-1px"><mi mathsize="2em" mathcolor="red">x</mi></mpadded><mstyle displaystyle="true" scriptlevel="+1" mathbackground="#fff" class="a" data-a="b"><mi>x</mi></mstyle>
<mtable rowspacing="0.16em" columnspacing="1em" columnalign="center center" rowlines="none"><mtr><mtd columnspan="2"><mi>x</mi></mtd></mtr></mtable><mspace width="{{ pieces }}"/></mrow>
<annotation-xml encoding="MathML-Content"><set><apply><plus/><ci>x</ci><cn>1</cn></apply></set></annotation-xml><annotation encoding="application/x-tex">x</annotation></semantics></math>`,
  "the attributes of a formula in other elements": `<math><mtext><font color="red">x</font><img src="{{ logo }}" width="9" height="9" alt=""/><svg width="9" height="2"><mask width="3"/></svg></mtext></math>
<math></math><table width="5" background=""><tr><td height="2">x</td></tr></table><font color="red">x</font>
<svg viewBox="0 0 9 9"><rect width="5" height="2" color="red"/></svg>`,
  "text that looks like markup": `<!-- <div> {{ number }} --><p>1 < 2 &amp; 3 &gt; 2, AT&T, R&amp;D {% comment %}</div>{% endcomment %}{% raw %}{{ not.liquid }}{% endraw %}</p>
<textarea><b></textarea><style>p::before { content: "</p" }</style>`,
  links: `<a href="https://example.com/{{ number }}">a</a> <a href="mailto:a@example.com">b</a> <a href="tel:+31">c</a> <a href="#x">d</a> <a href="{{ notes }}">e</a><p id="x">f</p>`,
  "paragraphs around conditions": `<p>{% if isPaid %}<b>paid</b>{% else %}<i>open</i>{% endif %}</p>{% if notes %}<div>{{ notes | markdown }}</div>{% endif %}<details open><summary>x</summary><p>y</p></details>`,
  "a part that is given all data": {
    "pages/1.liquid": `{% render "order", data: data %}`,
    "parts/order.liquid": `<p>{{ data.number }} {{ data.customer.address.city }} {{ data.items.size }}</p>{% render "order-foot", data: data %}`,
    "parts/order-foot.liquid": `<p>{{ data.total | currency: data.currency }}</p>`,
  },
  "parts with arguments": {
    "pages/1.liquid": `<table>{% for item in items %}{% render "row", item: item, index: forloop.index %}{% endfor %}</table>
{% render "maker" with items.first.maker %}{% render "tag" for tags as tag %}{% render "total", amount: total, currency: currency %}`,
    "parts/row.liquid": `<tr><td>{{ index }}</td><td>{{ item.title }}</td><td>{{ item.price | number: 2 }}</td></tr>`,
    "parts/maker.liquid": `<p>{{ maker.name }} {{ maker.country }}</p>`,
    "parts/tag.liquid": `<p>{{ tag }}{% unless forloop.last %}, {% endunless %}</p>`,
    "parts/total.liquid": `{% assign shown = amount | currency: currency %}<p>{{ shown }} {{ document.createdAt | date }}</p>`,
  },
  "a part for two kinds of objects": {
    "pages/1.liquid": `{% render "party", party: customer, title: "To" %}{% render "party", party: items.first.maker %}`,
    "parts/party.liquid": `<p>{{ title }} {{ party.name }} {{ party.email }} {{ party.country }}</p>`,
  },
  "a layout": {
    "pages/1.liquid": `{% layout "base", title: "Order" %}{% assign colour = "red" %}
{% block body %}<p>{{ number }} {{ greeting }}</p>{% endblock %}{% block foot %}{{ block.super }}<p>{{ total }}</p>{% endblock %}`,
    "parts/base.liquid": `<main>{% assign greeting = "Hello" %}<h1>{{ title }} {{ customer.name }} {{ colour }}</h1>{% block body %}{% endblock %}{% block foot %}<p>x</p>{% endblock %}</main>`,
  },
  "parts of a footer": {
    "footer.liquid": `{% render "count" %}`,
    "parts/count.liquid": `<p>{{ page.number }} / {{ page.total }}</p>`,
  },
  "rows that begin in one block and end in another": `<table><tr>{% for item in items %}<td>{{ item.title }}</td>{% assign rest = forloop.index | modulo: 2 %}{% if rest == 0 %}</tr><tr>{% endif %}{% endfor %}</tr></table>
<table>{% for item in items %}{% if forloop.first %}<tr>{% endif %}<td>{{ item.title }}</td>{% if forloop.last %}</tr>{% endif %}{% endfor %}</table>`,
  "a table for each group of rows": `{% for item in items %}{% if item.category != last %}{% unless forloop.first %}</tbody></table>{% endunless %}<table><tbody>{% endif %}
<tr><td>{{ item.title }}</td></tr>{% assign last = item.category %}{% if forloop.last %}</tbody></table>{% endif %}{% endfor %}`,
  "a group of rows for each category": `<table>{% for item in items %}{% if item.category != last %}{% unless forloop.first %}</tbody>{% endunless %}<tbody>{% endif %}
<tr><td>{{ item.title }}</td></tr>{% assign last = item.category %}{% endfor %}</tbody></table>`,
  "a block that reads the arguments of its layout": {
    "pages/1.liquid": `{% layout "inner", level: 2 %}{% block body %}<p>{{ level }} {{ colour }}</p>{% endblock %}`,
    "parts/inner.liquid": `{% layout "outer", colour: "red" %}{% block main %}{% block body %}{% endblock %}{% endblock %}`,
    "parts/outer.liquid": `<main>{% block main %}{% endblock %}</main>`,
  },
  "attributes with Liquid and angle brackets": `<p class="a{% if total < 3 %} b{% endif %}" title="a < b">x</p>`,
  "braces in styles, comments and raw text": `<style>@media print { p { color: red }}</style><!-- }} --><p>{% raw %}{{ number }} %}{% endraw %}</p>{% comment %} } %} {% endcomment %}<p>a } b { c</p>`,
  "an argument that only some uses of a part pass": {
    "pages/1.liquid": `{% render "row", item: items.first %}{% render "row", item: items.last, isLast: true %}`,
    "parts/row.liquid": "<p>{{ item.title }}{% if isLast %}.{% endif %}</p>",
  },
  "an argument that a part gives to its own part": {
    "pages/1.liquid": `{% render "row", item: items.first, colour: "red" %}`,
    "parts/row.liquid": `{% render "cell", text: item.title, colour: colour %}`,
    "parts/cell.liquid": `<p class="{{ colour }}">{{ text }}</p>`,
  },
  "an argument that a part reads under a name that is known only later": {
    "pages/1.liquid": `{% render "row", a: number, key: "a" %}`,
    "parts/row.liquid": "<p>{{ [key] }}</p>",
  },
  "an argument that the layout of a part reads": {
    "pages/1.liquid": `{% render "row", title: number %}`,
    "parts/row.liquid": `{% layout "box" %}{% block body %}<p>x</p>{% endblock %}`,
    "parts/box.liquid": `<h1>{{ title }}</h1>{% block body %}{% endblock %}`,
  },
  "a formatted price as text, and a date as a number": `{{ total | currency: "EUR" | append: "*" | replace: "€", "EUR" }}{{ issuedOn | date: "%s" | plus: 86400 | date }}`,
  "boxes that one loop opens and another closes":
    "{% for tag in tags %}<div>{% endfor %}x{% for tag in tags %}</div>{% endfor %}",
  "images from fields, assets and data": `<img src="{{ logo }}" alt="{{ number }}">{% if logo %}{% assign picture = logo %}{% else %}{% assign picture = "logo.svg" | asset %}{% endif %}<img src="{{ picture }}"><img src="{{ "data:image/png;base64," | append: notes }}">`,
  "an asset in a comment that contains another comment": `{% comment %}{% comment %}b{% endcomment %}{{ 'gone.svg' | asset }}{% endcomment %}<p>x</p>`,
  "a loop that begins in a comment after another comment in it":
    "<div>{% comment %}{% comment %}b{% endcomment %}{% for item in items %}{% endcomment %}</div>{% for item in items %}<p>{{ item.title }}</p>{% endfor %}",
  "assets that are named in every way": `{{ "./logo.svg"|asset }}{{- 'assets/logo.svg'  |  asset }}{% echo 'logo.svg' | asset %}{{ 'logo' | append: '.svg' | asset }}
{% raw %}{{ 'gone.svg' | asset }}{% endraw %}{% # {{ 'gone.svg' | asset }} %}{% doc %}{{ 'gone.svg' | asset }}{% enddoc %}`,
  "texts that shrink": `<p data-fit="8px">x</p><p data-fit=" 6.5PT ">x</p><p data-fit="2mm">x</p><p data-fit="{{ number }}px">x</p>`,
  "single braces around names that are not values": "<p>{x} is in {a.b}, and <code>import { join }</code></p>",
  "a text beside an image": `<img src="{{ logo }}" alt="{{ notes }}" title='{{ total }}'><a href="{{ notes }}">x</a>`,
  "a property whose name a variable holds": `{% assign price = "title" %}{{ items | map: price | join: ", " }}`,
  "a counter that counts down": `{% decrement left %}<p>{{ left }}</p>`,
  "a field with the name of a counter": `{% increment number %}<p>{{ number | upcase }}</p>`,
  "a name that is not in HTML, but may be a custom element": `<my-box>x</my-box><p on-x="a">y</p>`,
  "a block element in a paragraph's button or drawing": `<p><button><div>x</div></button></p><p><svg><foreignObject><div>y</div></foreignObject></svg></p>`,
  "attributes that exclude each other": `<p {% if isPaid %}class="a"{% else %}class="b"{% endif %}>x</p>`,
  ...Object.fromEntries(
    ["p", "li", "dd", "option"].map((name) => [
      `a <${name}> around the text that another block prints`,
      `{% if isPaid %}<${name}>{% endif %}x{% if isPaid %}</${name}>{% endif %}`,
    ]),
  ),
};
