// Pages with one mistake each in their HTML, and the message about it.

export const plantedInMarkup: Record<string, string> = {
  '<p>x</p>\n<img src="logo.svg" alt="">': "2: `logo.svg` is not shown; write `{{ 'logo.svg' | asset }}`",
  '<img alt=""\n  src="images/logo.svg">': "2: `images/logo.svg` is not shown; write `{{ 'logo.svg' | asset }}`",
  '<img src="./lgoo.svg">': "1: `./lgoo.svg` is not shown; write `{{ 'logo.svg' | asset }}`",
  '<img src="stamp.png">':
    "1: `stamp.png` is not shown; put the file into assets/ and write `{{ 'stamp.png' | asset }}`",
  '<img src="https://example.com/logo.png">':
    "1: `https://example.com/logo.png` is not shown, because documents load nothing; put the file into assets/",
  '{% for item in items %}\n<img src="images/{{ item.title }}.png">{% endfor %}':
    "2: `images/…` is not shown, because documents load nothing; use the filter `asset`",
  [`<p>x</p>\n${"<div>".repeat(513)}`]:
    "warning 2: more than 512 elements are open here, so the end tags in this file are not checked",
  "<p>x</p>\n<img src='data:text/html,<b>x</b>'>":
    "warning 2: the image in the `data:` URI cannot be used: its content is not a PNG, JPEG, WebP, AVIF, GIF or SVG image",
  "<img src='data:image/png;base64,@@@'>":
    "warning 1: the image in the `data:` URI cannot be used: its `data:` URI is not well formed",
  "<input type='image' src='data:,'>":
    "warning 1: the image in the `data:` URI cannot be used: its content is not a PNG, JPEG, WebP, AVIF, GIF or SVG image",
  "<svg><image href='data:application/pdf;base64,JVBERi0='/></svg>":
    "warning 1: the image in the `data:` URI cannot be used: its content is not a PNG, JPEG, WebP, AVIF, GIF or SVG image",
  "<table background='data:image/tiff;base64,SUkqAA=='><tr><td>x</td></tr></table>":
    "warning 1: the image in the `data:` URI cannot be used: its content is not a PNG, JPEG, WebP, AVIF, GIF or SVG image",
  "<img src='data:application/octet-stream;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='>":
    "warning 1: the image in the `data:` URI cannot be used: its `data:` URI must begin with the type of an image, such as `data:image/png`",
  "<div style='background:url(data:text/plain,x)'>x</div>":
    "warning 1: the image in the `data:` URI cannot be used: its content is not a PNG, JPEG, WebP, AVIF, GIF or SVG image",
  "<style>\n.a { background: url(data:image/png;base64,xx) }</style>":
    "warning 2: the image in the `data:` URI cannot be used: its content is not a PNG, JPEG, WebP, AVIF, GIF or SVG image",
  "<p style='list-style-image:url(data:image/png,%3Csvg/%3E)'>x</p>":
    "warning 1: the image in the `data:` URI cannot be used: it is an SVG, so its URI must begin with `data:image/svg+xml`",
  '<p>x</p>\n<img data-src="photo.gif" alt="">':
    "warning 2: `data-src` shows nothing, because scripts do not run in documents; write `src`",
  '<img src="" data-original="photo.gif">':
    "warning 1: `data-original` shows nothing, because scripts do not run in documents; write `src`",
  '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" data-lazy-src="{{ logo }}">':
    "warning 1: `data-lazy-src` shows nothing, because scripts do not run in documents; write `src`",
  '<picture><source data-srcset="a.png 2x"><img src="{{ logo }}"></picture>':
    "warning 1: `data-srcset` shows nothing, because scripts do not run in documents; write `srcset`",
  '<img class="lazy" data-lazysrcset="a.png 2x" alt="">':
    "warning 1: `data-lazysrcset` shows nothing, because scripts do not run in documents; write `srcset`",
  '<style>\np { margin: 0 }\n@import url("../css/a5.css") print;\n</style>':
    "3: `@import` is not supported; put the styles into style.css, or into a file that `styles` of template.json lists, and fonts into assets/",
  "<style>@import 'https://fonts.example.com/css2?family=Inter';</style>":
    "1: `@import` is not supported; put the styles into style.css, or into a file that `styles` of template.json lists, and fonts into assets/",
  '<img srcset="logo.svg 2x">': "1: `logo.svg` is not shown; write `{{ 'logo.svg' | asset }}`",
  '<div>\n<p style="background: url(photo.gif)">x</p></div>':
    "2: `photo.gif` is not shown; write `url({{ 'photo.gif' | asset }})`, or move the style to style.css",
  "<style>\n.a { color: red }\n.b { background: url('logo.svg') }\n</style>":
    "3: `logo.svg` is not shown; write `url({{ 'logo.svg' | asset }})`, or move the style to style.css",
  "<p>x</p>\n<img src=\"{{ 'lgoo.svg' | asset }}\">": "2: there is no file assets/lgoo.svg; did you mean `logo.svg`?",
  '\n{% assign a = "it\'s.svg" | asset %}{{ a }}': "2: there is no file assets/it's.svg",
  "{% liquid\n  echo 'x.svg' | asset\n%}": "2: there is no file assets/x.svg",
  "<p>x</p>\n<script>alert(1)</script>": "warning 2: `<script>` never runs, because scripts do not run in documents",
  '<p\n onclick="go()">x</p>': "warning 2: `onclick` never runs, because scripts do not run in documents",
  '<table>\n<tr data-page-value-sub-total="1"><td>x</td></tr></table>':
    "warning 2: `data-page-value-sub-total` sets no value; its name after `data-page-value-` needs a letter, then letters, digits and `_`",
  '<p>x</p>\n<p data-fit="small">x</p>':
    'warning 2: `data-fit="small"` has no effect; it needs the smallest font size in px, pt or mm, such as `8px`',
  '<p data-fit="8">x</p>':
    'warning 1: `data-fit="8"` has no effect; it needs the smallest font size in px, pt or mm, such as `8px`',
  '<link rel="stylesheet" href="https://example.com/a.css">':
    "warning 1: `<link>` has no effect, because documents load nothing; put styles into style.css, and fonts into assets/",
  '<meta http-equiv="refresh" content="1">':
    'warning 1: `<meta http-equiv="refresh">` is removed, because documents are static',
  "<div>\n<template shadowrootmode=open></template></div>":
    "warning 2: `<template>` shows nothing, because documents have neither scripts nor shadow roots (`shadowrootmode`)",
  '<svg viewBox="0 0 9 9">\n<rect><animate attributeName="x"/></rect></svg>':
    "warning 2: `<animate>` does not move, because documents are static",
  '<a href="www.example.com/a">x</a>':
    "warning 1: the link to `www.example.com/a` is removed, because it leads nowhere from a file; write `https://www.example.com/a`",
  '<a href="javascript:print()">x</a>':
    "warning 1: the link to `javascript:print()` is removed, because it leads nowhere from a file; a link needs `https:`, `mailto:`, `tel:` or `#`",
  "<math>\n<mfenced><mi>x</mi></mfenced></math>":
    "warning 2: `<mfenced>` loses its brackets and separators; write `<mrow><mo>(</mo>…<mo>,</mo>…<mo>)</mo></mrow>`",
  '<math><mtable rowlines="none" columnalign="center\n left"><mtr><mtd><mi mathvariant="normal">x</mi></mtd></mtr></mtable></math>':
    "warning 1: `columnalign` has no effect; write `text-align: left` or `-webkit-right` in CSS, for `mtd`",
  '<math><mtable><mtr>\n<mtd rowalign="top"><mi>x</mi></mtd></mtr></mtable></math>':
    "warning 2: `rowalign` has no effect; write `vertical-align` in CSS, for `mtd`",
  '<math><mi mathvariant="double-struck">R</mi></math>':
    "warning 1: `mathvariant` has no effect; write the character itself, such as 𝐱 or ℝ",
  "<math>\n<apply><plus/><ci>x</ci><cn>1</cn></apply></math>":
    "warning 2: `<apply>` is content MathML, which browsers do not draw; write presentation MathML, such as `<mrow>`, `<mfrac>` and `<mtable>`",
  "<math><matrix><matrixrow><cn>0</cn></matrixrow></matrix></math>":
    "warning 1: `<matrix>` is content MathML, which browsers do not draw; write presentation MathML, such as `<mrow>`, `<mfrac>` and `<mtable>`",
  "<math><mi>x</mi>\n<cn>1</cn></math>":
    "warning 2: `<cn>` is content MathML, which browsers do not draw; write presentation MathML, such as `<mrow>`, `<mfrac>` and `<mtable>`",
  "<math><semantics><set><ci>x</ci></set><annotation-xml><mi>x</mi></annotation-xml></semantics></math>":
    "warning 1: `<set>` is content MathML, which browsers do not draw; write presentation MathML, such as `<mrow>`, `<mfrac>` and `<mtable>`",
  "<math><pi/></math>":
    "warning 1: `<pi>` is content MathML, which browsers do not draw; write presentation MathML, such as `<mrow>`, `<mfrac>` and `<mtable>`",
  "<math><mspace width='thinmathspace'/></math>": 'warning 1: `width="thinmathspace"` has no effect; write `0.167em`',
  "<math><mo\nrspace='veryverythickmathspace'>+</mo></math>":
    'warning 2: `rspace="veryverythickmathspace"` has no effect; write `0.389em`',
  "<math><mpadded lspace='negativemediummathspace'><mi>x</mi></mpadded></math>":
    'warning 1: `lspace="negativemediummathspace"` has no effect; write `-0.222em`',
  "<math><mspace width='2'/></math>": 'warning 1: `width="2"` has no effect, because it has no unit; write it in `em`',
  "<math><mfrac linethickness='thick'><mi>a</mi><mi>b</mi></mfrac></math>":
    'warning 1: `linethickness="thick"` has no effect; write `2px`',
  "<math><mstyle mathsize='big'><mi>a</mi></mstyle></math>": 'warning 1: `mathsize="big"` has no effect; write `120%`',
  "<math><mtext mathvariant='italic'>if</mtext></math>":
    "warning 1: `mathvariant` has no effect; write the character itself, such as 𝐱 or ℝ",
  "<math href='#a'><mi>x</mi></math>": "warning 1: `href` has no effect; write `<a>` around `<math>`",
  "<math><mtable columnspacing='3em'><mtr><mtd><mi>x</mi></mtd></mtr></mtable></math>":
    "warning 1: `columnspacing` has no effect; write `padding` in CSS, for `mtd`",
  "<math><mtable><mlabeledtr><mtd><mn>1</mn></mtd></mlabeledtr></mtable></math>":
    "warning 1: `<mlabeledtr>` becomes an ordinary row, whose first cell is the label; write `<mtr>`",
  "<p>x</p>\n<dvi>x</dvi>": "warning 2: there is no element `<dvi>`; did you mean `<div>`?",
  '<p>x</p>\n<div class="a">\n<p>y</p>': "2: `<div>` is never closed",
  "<div>\n<p>Total <strong>{{ total }}</p>\n</div>": "2: `<strong>` is not closed before `</p>` on line 2",
  '<p>x</p>\n<img style="width: 2cm" alt="Logo">':
    'warning 2: `<img alt="Logo">` shows nothing without `src`; write `src="{{ \'logo.png\' | asset }}"`, with a file in assets/',
  '<img src="">':
    "warning 1: `<img>` shows nothing without `src`; write `src=\"{{ 'logo.png' | asset }}\"`, with a file in assets/",
  "<div>\n<p>x</p>\n</div>\n</div>": "4: `</div>` has no start tag",
  "<p>\n<div>x</div>\n</p>":
    "3: `</p>` has no start tag: `<div>` on line 2 has ended the paragraph, because it cannot be inside one",
  "<p><b>x <i>y</b> z</i></p>": "1: `<i>` is not closed before `</b>` on line 1",
  "{% for item in items %}\n<div>{{ item.title }}\n{% endfor %}": "2: `<div>` is never closed",
  "{% if isPaid %}\n<strong>paid\n{% endif %}": "2: `<strong>` is never closed",
  "<p>x</p>\n{% if isPaid %}\n</span>{% endif %}": "3: `</span>` has no start tag",
  "<div>\n<span/>x</div>": "2: HTML ignores the `/` in `<span/>`, so the element stays open; write `<span></span>`",
  "<p>x<br>\n</img></p>": "2: `</img>` does not exist, because `<img>` has no content",
  "<div>\n<h1>Order\n<h2>Items</h2>\n</div>": "2: `<h1>` is not closed before `</div>` on line 4",
  '<p>x</p>\n<p class="a" class="b">x</p>': "2: `<p>` has the attribute `class` twice, and the second one is ignored",
  '<p>x</p>\n<p class="a>x</p>\n<p>y</p>': "2: the tag `<p` is never closed; a `>` or a quote is missing",
  '<p class="a>x</p>\n<p class="b">y</p>': "1: in the tag `<p`, a quote or a `>` is missing",
  '<p>x</p>\n<p class="price>x</p>{% if isPaid %}<p>y</p>{% endif %}\n<div class="bars">z</div>':
    "2: in the tag `<p`, a quote or a `>` is missing",
  "<p>x</p>\n<p y</p>\n": "2: in the tag `<p`, a quote or a `>` is missing",
  "<p>x</p>\n<!-- note ->\n<p>y</p>": "2: the comment is never closed with `-->`, so everything after it is dropped",
  "<p>x&nbps;y</p>": "warning 1: there is no character `&nbps;`, so it is printed unchanged",
  "<p>x</p>\n<p>{ number }}</p>": "2: `}}` would be printed unchanged, because no `{{` stands before it",
  '<p>x</p>\n<p title="{ number }}">x</p>': "2: `}}` would be printed unchanged, because no `{{` stands before it",
  "<p>x</p>\n% assign a = 1 %}": "2: `%}` would be printed unchanged, because no `{%` stands before it",
  "<p>{ { number } }</p>": "1: `{ { number } }` would be printed unchanged, because a space separates its braces",
  "<p>{ % assign a = 1 %}</p>":
    "1: `{ % assign a = 1 %}` would be printed unchanged, because a space separates its braces",
  "<p>x</p>\n{# note #}":
    "2: `{# note #}` would be printed unchanged; write a comment between `{% comment %}` and `{% endcomment %}`",
  "{% assign sum = 1 %}\n<p>{ sum }</p>":
    "warning 2: `{ sum }` would be printed unchanged; write `{{ sum }}` for a value",
  "{% for item in items %}\n{item.title}{{ item.title }}{% endfor %}":
    "warning 2: `{item.title}` would be printed unchanged; write `{{ item.title }}` for a value",
  "<p>{number}</p>": "warning 1: `{number}` would be printed unchanged; write `{{ number }}` for a value",
  "<quux>x</quux>": "warning 1: there is no element `<quux>` in HTML",
  "<p>x</p>\n<p>y</": "2: the tag `</` is never closed; a `>` or a quote is missing",
  "<p>x</p>\n<p>y <": "2: the tag `<` is never closed; a `>` or a quote is missing",
  '<h{{ pieces }} x="a': "1: the tag `<h…` is never closed; a `>` or a quote is missing",
  "<p a=b'c>x</p>": "1: in the tag `<p`, a quote or a `>` is missing",
  "<svg><g></svg>": "1: `<g>` is not closed before `</svg>` on line 1",
  "<svg></br></svg>": "1: `</br>` has no start tag",
  "<p>a\n<p>b</p></p>": "2: `</p>` has no start tag",
  '<a href="javascript:{{ number }}">x</a>':
    "warning 1: the link to `javascript:` is removed, because it leads nowhere from a file; a link needs `https:`, `mailto:`, `tel:` or `#`",
  '<map><area href="a.io/x"></map>':
    "warning 1: the link to `a.io/x` is removed, because it leads nowhere from a file; write `https://a.io/x`",
  '<img src="a/logo.svg?x=1#y">': "1: `a/logo.svg?x=1#y` is not shown; write `{{ 'logo.svg' | asset }}`",
  '<source srcset="data:image/gif;base64,AA 1x"><source srcset="{{ logo }}, logo.svg 2x"><source srcset="logo.svg 2x, {{ logo }}">':
    "1: `logo.svg` is not shown; write `{{ 'logo.svg' | asset }}`",
  "<p>{% raw %}}}{% endraw %}\n%}</p>": "2: `%}` would be printed unchanged, because no `{%` stands before it",
};
