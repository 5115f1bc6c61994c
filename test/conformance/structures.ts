// Pages that are difficult for tags: lists, tables, links, pictures, languages, generated text, hidden and moved content, forms.
import { images } from "./images.ts";

const picture = `<img src="${images["rgb-jpeg"]}" alt="A photo" width="40" height="30">`;
const words = "Some words of a text that is long. ".repeat(30);
const rows = (count: number, row: string) => row.repeat(count);
const inBody = (inner: string) => `<h1>Title</h1>${inner}<p>After`;
const uriOf = (markup: string) => `data:image/svg+xml,${encodeURIComponent(markup)}`;
const drawing = `<svg role="img" aria-label="A circle" width="60" height="40"><circle cx="20" cy="20" r="15" fill="teal"/></svg>`;

const lists = {
  "in-lists": "<ul><li>1<ol type=a><li>2<ul><li>3<ol><li>4</ol></ul><p>2b</ol>1b<li>5</ul>",
  "numbers-of-lists": "<ol reversed start=9 type=I><li>a<li value=4>b<li></ol><ol start=-2><li>c<li>d</ol>",
  "markers-of-lists":
    "<style>.m li::marker { content: '→ ' } .s { list-style: '* ' inside }</style><ul class=m><li>a</ul><ul class=s><li>b</ul><ul style='list-style: none'><li>c</ul>",
  "images-as-markers": `<ul style="list-style-image: url(${images["png-alpha"]})"><li>a<li>b</ul>`,
  "lists-in-cells": "<table><tr><th>A<td><ul><li>b<li>c<table><tr><th>d<td><ol><li>e</ol></table></ul></table>",
  "terms-in-items": "<ul><li><dl><dt>a<dt>b<dd>c<dd><ul><li>d</ul><div><dt>e<dd>f</div></dl></ul>",
  "terms-without-definitions": "<dl><dt>a</dl><dl><dd>b</dl><dl></dl><dl><div></div></dl>",
  "items-without-a-list": "<li>a</li><div style='display: list-item; margin: 20px'>b</div><ul>text<p>p</p><li>c</ul>",
  "items-over-pages": `<ol>${`<li>${words}<ul><li>${words}</ul>`.repeat(12)}</ol>`,
  "lists-by-role": "<div role=list><div role=listitem>a</div><div role=listitem>b</div></div><ul role=none><li>c</ul>",
  "lists-in-columns": `<ul style="columns: 3">${rows(40, "<li>An item of a list")}</ul>`,
  "menus-and-flex": "<menu style='display: flex; gap: 9px'><li>a<li>b</menu><ul style='display: grid'><li>c</ul>",
  "empty-lists": "<ul></ul><ol><li></ol><ul><li><p></p><li>&nbsp;</ul>",
};

const tables = {
  "in-tables":
    "<table><tr><th>A<td><table><caption>Inner</caption><tr><th>b<th>c<tr><td>d<td>e</table><tr><th>f<td>g</table>",
  "rowspans-over-pages": `<table><thead><tr><th>A<th>B</thead>${rows(30, `<tr><td rowspan=3>1<td>${words.slice(0, 300)}<tr><td>3<tr><td>4`)}</table>`,
  "spans-in-heads": `<table><thead><tr><th rowspan=2>A<th colspan=2>B<tr><th>C<th>D</thead><tbody>${rows(60, "<tr><td>1<td>2<td>3")}<tfoot><tr><td colspan=3>Foot</table>`,
  "absurd-spans":
    "<table><tr><th colspan=900>A<tr><td rowspan=60000>b<td rowspan=0>c<tr><td colspan=3>d<tr><tr><td>e</table>",
  "a-caption-below":
    "<table style='caption-side: bottom'><caption>Caption <b>bold</b></caption><tr><th>A<tr><td>b</table>",
  "groups-of-columns":
    "<table><colgroup span=2><col><colgroup><thead><tr><td><th scope=colgroup colspan=2>A<tr><th>B<th>C<th>D</thead><tbody><tr><th scope=rowgroup rowspan=2>e<td>f<td>g<tr><td>h<td>i</table>",
  "headers-by-id": "<table><tr><th id=a>A<th id=b>B<tr><th id='c d' headers=a>c<td headers='a b nowhere'>d</table>",
  "empty-cells": "<table><tr><th>A<th><tr><td><td>b<tr><td></td><td></td></tr><tr></tr></table><table></table>",
  "several-bodies":
    "<table><tfoot><tr><td>F</tfoot><tbody><tr><th>a<td>b<tbody><tr><th>c<td>d<thead><tr><th>H<th>I</table>",
  "by-display":
    "<div style='display: table'><div style='display: table-row'><b style='display: table-cell'>a</b>b</div></div>",
  "by-role":
    "<div role=table><div role=row><span role=columnheader>A</span></div><div role=row><span role=cell>b</span></div></div>",
  "for-layout": "<table role=presentation><tr><td>a<td><h2>b</h2></table><table><tr><td>c<td>d<tr><td>e<td>f</table>",
  "as-blocks": "<table style='display: block'><tr style='display: flex'><th>A<td style='display: grid'>b</table>",
  "with-pictures": `<table><tr><th>${picture}<td>${drawing}<tr><td><a href="https://a.example">${picture}</a><td></table>`,
  "high-heads": `<table><thead><tr><th style="height: 900px">A</thead>${rows(30, "<tr><td>b")}</table>`,
  "high-rows": `<table><tr><th>A<td>${words.repeat(20)}</table>`,
  "hidden-rows":
    "<table><tr><th>A<tr hidden><td>b<tr style='visibility: collapse'><td>c<tr style='visibility: hidden'><td>d<tr aria-hidden=true><td>e</table>",
  "borders-and-stripes": `<style>td { border: 1px solid } tr:nth-child(even) { background: #eee }</style><table style="border-collapse: collapse">${rows(90, "<tr><th>a<td>b")}</table>`,
  "text-outside-cells": "<table>x<tr>y<td>z</td>w</tr><p>v</p></table>",
};

const links = {
  "around-blocks": `<a href="https://a.example"><h2>Head</h2><p>${words}</p><ul><li>a</ul><table><tr><th>b</table></a>`,
  "over-pages": `<p>${words.repeat(6)}<a href="https://a.example/over-pages">${words.repeat(3)}</a>${words}`,
  "over-columns": `<div style="columns: 3"><a href="https://a.example">${words.repeat(3)}</a></div>`,
  "without-text": `<a href="https://a.example" style="display: block; width: 20px; height: 20px"></a><a href="#x">&nbsp;</a><a href=""></a>`,
  "with-pictures": `<a href="https://a.example">${picture}</a><a href="https://b.example">${drawing}</a><a href="https://c.example"><img src="${images.palette}" alt=""></a>`,
  "of-image-maps": `<img src="${images.profile}" alt="Map" usemap="#m" width=80 height=80><map name=m><area href="https://a.example" alt=A coords="0,0,9,9"></map>`,
  "of-drawings": `<svg role="img" aria-label="Link" width=90 height=30><a href="https://a.example"><text y=20>svg</text></a></svg>`,
  "moved-and-clipped": `<a href="https://a.example" style="position: absolute; left: 90px; top: 300px; transform: rotate(20deg)">moved</a><div style="height: 9px; overflow: hidden"><a href="https://b.example">${words}</a></div>`,
  "in-links": "<p><a href='https://a.example'>a<object><a href='https://b.example'>b</a></object></a>",
  "with-odd-addresses":
    "<a href='https://a.example/%zz(\\)«ü» x'>a</a><a href='tel:+1 2'>b</a><a href='data:text/plain,x'>c</a><a href='//b.example'>d</a><a href='file:///etc'>e</a><a href='#%00'>f</a>",
  "in-fixed-boxes": `<p style="position: fixed; top: 0"><a href="https://a.example">fixed</a></p>${`<p>${words}`.repeat(12)}`,
  "to-odd-ids":
    "<a href='#a%20b'>a</a><a href='#ü'>b</a><a href='#😀'>c</a><p id='a b'>a<p id='ü'>b<p id='😀'>c<p id='\\()<>/%'>d",
  "in-repeated-heads": `<table><thead><tr><th><a href="https://a.example">A</a></thead>${rows(90, "<tr><td>b")}</table>`,
  "of-notes":
    "<p>Text<sup><a href='#n1' id=r1 role=doc-noteref>1</a></sup><aside id=n1 role=doc-footnote>Note <a href='#r1'>↩</a></aside>",
};

const pictures = {
  sources: `<picture><source srcset="${images["png-alpha"]} 2x, ${images.palette}"><img src="${images.palette}" srcset="${images["rgb-jpeg"]} 2x" alt="P"></picture>`,
  captions: `<figure>${picture}<figcaption>Caption</figcaption></figure><figure><figcaption>Above</figcaption><table><tr><th>a</table></figure>`,
  "svg-use": `<svg role="img" aria-label="Used" width=90 height=40><defs><g id=u><rect width=20 height=20 /><text y=15>u</text></g></defs><use href="#u"/><use href="#u" x=40 /></svg>`,
  "svg-html": `<svg role="img" aria-label="Outer" width=200 height=60><foreignObject width=200 height=60><p>Inside <b>HTML</b></p><ul><li>a</ul></foreignObject></svg>`,
  "svg-titles": `<svg width=60 height=40 role=img><title>Title</title><desc>D</desc><rect width=60 height=40 /></svg><svg aria-hidden=true width=20 height=20><text y=15>h</text></svg>`,
  "svg-animation": `<svg role=img aria-label=A width=60 height=40><rect width=20 height=20><animate attributeName=x to=40 dur=1s /></rect><marker id=k><path d="M0 0L9 9"/></marker><path d="M0 0L30 30" marker-end="url(#k)" stroke=red /></svg>`,
  decorations: `<img src="${images["grey-16"]}" alt=""><img src="${images.profile}" role=presentation><svg aria-hidden=true width=9 height=9><circle r=4 /></svg>`,
  "of-svg-files": `<img alt="File" src="${uriOf('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"><defs><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-opacity=".2"/></linearGradient></defs><rect width="90" height="40" fill="url(#g)" opacity=".5"/></svg>')}">`,
  "broken-images": `<img src="data:," alt="Broken"><img alt="None" width=30 height=30><img src="data:image/png;base64,AAAA" alt="">`,
  "without-alt": `<p>Text</p><img src="${images.palette}" width=40 height=40>`,
  "repeated-pictures": picture.repeat(30),
  "over-pages": `<img src="${images["rgb-jpeg"]}" alt="High" style="width: 100px; height: 3000px">`,
  "object-fit": `<img src="${images["alpha-16"]}" alt="Fit" style="width: 80px; height: 40px; object-fit: cover; border-radius: 20px; filter: sepia(.5); rotate: 10deg">`,
  "figures-in-text": `<p>Before ${picture} between ${drawing} after.`,
  "role-img": `<div role="img" aria-label="Stars"><span>★</span><span>★</span></div><span role=img aria-label="Smile">😀</span>`,
  canvas: "<canvas width=40 height=30 role=img aria-label=C></canvas><canvas></canvas>",
};

const texts = {
  languages:
    "<p lang=de>Grün <i lang=fr>vert</i><span lang=''>?</span> W<b lang=en>or</b>t <q lang=x-klingon>q</q> <i lang='not a tag!'>i</i>",
  directions:
    "<p dir=rtl>عربي <bdo dir=ltr>abc</bdo> <bdi>שלום</bdi> 123</p><p>abc <bdo dir=rtl>def</bdo> عربي</p><ol dir=rtl><li>א<li>ב</ol>",
  ruby: "<p lang=ja><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby></p>",
  "soft-hyphens":
    "<p style='width: 60px; hyphens: auto' lang=en>ex&shy;tra&shy;or&shy;di&shy;nary incomprehensibilities<wbr>breaks",
  transformed: "<p style='text-transform: uppercase'>straße ﬁ ŉ</p><p style='font-variant: small-caps'>Caps</p>",
  "first-letters": `<style>p::first-letter { font-size: 3em; float: left } p::first-line { color: red }</style><p>${words}</p><p>"Quoted`,
  generated:
    "<style>h2 { counter-increment: c } h2::before { content: counter(c, upper-roman) '. ' } p::after { content: ' €' / 'euros' } q { quotes: '«' '»' } i::before { content: '' } b::after { content: attr(title) }</style><h2>a</h2><p>9</p><q>q</q><i>i</i><b title=T>b</b>",
  "generated-pictures": `<style>p::before { content: url(${images.palette}) } p::after { content: linear-gradient(red, blue); width: 20px; height: 20px; display: block }</style><p>text`,
  contents: `<style>a::after { content: leader('.') target-counter(attr(href), page) }</style><ul><li><a href="#x">One</a></ul><h2 id=x style="break-before: page">One</h2>`,
  notes: "<p>Text<aside role=note>Note</aside><small>small</small><sup>1</sup> <abbr title='World Health'>WH</abbr>",
  phrases:
    "<p><em>a</em><strong>b</strong><del>c</del><ins>d</ins><sub>e</sub><mark>f</mark><kbd>g</kbd><samp>h</samp><var>i</var><time>j</time><data value=1>k</data><cite>l</cite><dfn>m</dfn><s>n</s><u>o</u><output>p</output></p><pre><code>q\n r</code></pre><blockquote>s</blockquote><address>t</address>",
  sections:
    "<header>a</header><nav><a href='#m'>b</a></nav><main id=m><article><section><h2>c</h2></section></article><aside>d</aside></main><search>e</search><hgroup><h2>f</h2><p>g</hgroup><footer>h</footer>",
  headings: "<h2>b</h2><h3>c<h3>d</h3><h4>e</h4><h2></h2><div role=heading aria-level=3>f</div>",
  "levels-of-headings": "<h2>a</h2><h3>b</h3><h4>c</h4><h5>d</h5><h6>e</h6><div role=heading aria-level=7>f</div>",
  "headings-in-cells": "<table><tr><th><h2>A</h2><td><h3>b</h3></table><ul><li><h2>c</h2></ul>",
  "a-jump-of-levels": "<h4>a</h4>",
  math: "<p>Is <math aria-label='a half'><mfrac><mn>1</mn><mn>2</mn></mfrac></math> and <math display=block alttext='x'><msqrt><mi>x</mi></msqrt></math>",
  "of-one-letter": "<p>x",
  "spaces-only": "<p>&nbsp; &#8203;&#8195;</p><pre>\n\n</pre>",
  "control-characters": "<p>a&#1;b&#127;c&#128;d",
  "long-words": `<p>${"x".repeat(5_000)}</p><p style="white-space: nowrap; width: 50px">${words}`,
};

const moved = {
  contents:
    "<div style='display: contents'><p style='display: contents'>a</p><ul style='display: contents'><li>b</ul></div>",
  fixed: `<div style="position: fixed; bottom: 0"><h2>Fixed</h2>${picture}<table><tr><th>a</table><ul><li>b</ul></div>${`<p>${words}`.repeat(10)}`,
  "fixed-and-groups": `<p style="position: fixed; top: 0">Fixed</p><div style="break-before: page; mix-blend-mode: multiply"><p>a</p></div>`,
  sticky: `<div style="position: sticky; top: 0">Sticky</div>${`<p>${words}`.repeat(9)}`,
  "all-columns": `<div style="columns: 2">${words}<h2 style="column-span: all">Over all</h2>${words.repeat(9)}</div>`,
  vertical: `<div style="writing-mode: vertical-rl"><h2>縦</h2><ul><li>a</ul><table><tr><th>b<td>c</table></div><div style="writing-mode: sideways-lr">d</div>`,
  floats: `<div style="float: right; width: 100px">${words}</div><div style="float: left; shape-outside: circle()">${picture}</div>${words}`,
  "page-floats": "<div style='float: top'>top</div><div style='float: footnote'>note</div><p>text",
  breaks: `<style>@page wide { size: A5 landscape } .w { page: wide }</style>a<div class=w>b</div><div style="break-before: left">c</div><p style="break-after: page; widows: 9">${words.repeat(9)}</p>`,
  clipped: `<div style="height: 20px; overflow: hidden"><p>${words}</p><ul><li>a</ul></div><p style="position: absolute; left: -999px">away</p><p style="clip-path: inset(50%); position: absolute">sr</p>`,
  hidden:
    "<p hidden>a</p><p aria-hidden=true>b <a href='https://a.example'>c</a></p><p role=presentation>d</p><h2 role=none>e</h2><ul aria-hidden=true><li>f</ul><table aria-hidden=true><tr><th>g</table><p style='visibility: hidden'>h <b style='visibility: visible'>i</b></p><div inert>j</div>",
  opaque: `<div style="opacity: .5"><h2>a</h2><ul><li>b</ul>${picture}<table><tr><th>c</table></div><p style="opacity: 0">d`,
  filtered: `<div style="filter: blur(1px)">${picture}</div><p style="filter: contrast(.8)">text`,
  "mixed-groups": `<div style="mix-blend-mode: multiply; isolation: isolate"><table><tr><th>a<td style="opacity: .3">b</table></div><ul style="mask-image: linear-gradient(black, transparent)"><li>c</ul>`,
  transforms: `<div style="transform: scale(.5) rotate(9deg)"><h2>a</h2><table><tr><th>b</table><a href="https://a.example">c</a></div>`,
  zoomed: "<div style='zoom: 2'><ul><li>a</ul></div><p style='font-size: 0'>none</p><p style='font-size: .5px'>tiny",
  scrolled: `<div style="height: 60px; overflow: scroll">${words}</div><div style="resize: both; overflow: auto; width: 50px; height: 50px">${words}`,
  "grid-and-order":
    "<div style='display: grid; grid-template-columns: 1fr 1fr'><p style='order: 2'>second</p><p>first</p></div>",
  "cloned-boxes": `<div style="box-decoration-break: clone; border: 3px solid; background: #eee">${words.repeat(12)}</div>`,
};

const interactive = {
  controls:
    "<form><fieldset><legend>L</legend><label>Name <input value=Ada></label><input type=date value=2026-11-29><input type=password value=x><input placeholder=p><textarea>Area\nline</textarea><button>B <b>c</b></button><input type=submit value=Go><meter value=.6></meter></fieldset></form>",
  "drawn-controls":
    "<p><input type=checkbox checked><input type=radio><input type=range><input type=color><progress value=.4></progress>",
  files: "<input type=file>",
  selects: "<select><option selected>One<option>Two</select>",
  "image-buttons": `<input type=image src="${images.palette}" alt="Send"><button>${picture}</button>`,
  details: "<details open><summary>Sum</summary><p>a</details><details><summary>Closed</summary><p>b</details>",
  dialogs: "<dialog open><h2>D</h2><p>a</dialog><dialog>closed</dialog><div popover>b</div>",
  frames: "<iframe srcdoc='<h1>Inner</h1><p>text</p><ul><li>a</ul>' title='F'></iframe>",
  media:
    "<video width=90 height=50 controls></video><audio controls></audio><embed width=20 height=20><object width=20 height=20>Fallback <b>b</b></object>",
  editable:
    "<div contenteditable><p>a</p><ul><li>b</ul></div><div tabindex=0 role=button>c</div><div role=tablist><div role=tab>d</div></div>",
  elements:
    "<my-box><slot-like>a</slot-like></my-box><div><template shadowrootmode=open><ul><li><slot></slot></ul></template>b</div>",
  "roles-everywhere":
    "<div role=banner>a</div><div role=alert>b</div><div role=math aria-label=c>c</div><div role=application>d</div><div role=document><p role=listitem>e</p></div><div role=row>f</div><div role=cell>g</div><div role=grid><div role=gridcell>h</div></div><div role=link>i</div><div role=note>j</div><div role=figure aria-label=k>k</div><div role=separator></div><div role=tree><div role=treeitem>l</div></div>",
};

const groups = { lists, tables, links, pictures, texts, moved, interactive };

/** Parts of generated documents. */
export const structureParts = Object.entries(groups).flatMap(([group, pages]) =>
  Object.entries(pages).map(([name, html]) => ({ name: `${group}-${name}`, html })),
);

/** Each page has a heading first, as PDF/UA requires. */
export const structures = structureParts.map(({ name, html }) => ({ name, html: inBody(html) }));

const plain = (count: number) => `<h1>Title</h1>${"<p>x</p>".repeat(count)}`;

/** Pages that are more or less than a page. */
export const documentSizes = [
  { name: "no-text", html: "<div style='width: 50px; height: 50px; background: red'></div>" },
  { name: "a-picture-only", html: picture },
  { name: "a-drawing-only", html: drawing },
  { name: "no-content", html: "<!-- nothing -->" },
  { name: "9999-elements", html: plain(9_990) },
  { name: "10001-elements", html: plain(10_010) },
];
