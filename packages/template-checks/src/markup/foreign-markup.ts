// The code, elements and attributes of other template engines and PDF generators, and what to write instead; see `foreign-words.ts` in
// colophon-liquid for the rows. Code is a mistake; everything else only causes a warning.
import { foreignWords } from "colophon-liquid/foreign-words";

const code = "write `{{ name }}` for a value, `{% if %}` for a condition, and `{% for %}` for a loop";
const condition = "write `{% if paid %}` and `{% endif %}`";
const loop = "write `{% for item in items %}` and `{% endfor %}`";
const value = "write `{{ $1 }}` for a value";
const part = 'write `{% render "row", item: item %}`';
const comment = "write a comment between `{% comment %}` and `{% endcomment %}`";

/** Code that HTML does not contain as text, because it begins with `<`. The patterns match its beginning. */
export const foreignTagCode = foreignWords([
  ["PHP", "<?php echo $name; ?>", code, /^<\?(?:php\b|[=!\s])/],
  ["ERB EJS JSP ASP", "<%= name %>", code, /^<%/],
  ["FreeMarker", "<#if paid>", code, /^<(?:#|\/?@)/],
  ["Docmosis", "<<name>>", "write `{{ $1 }}` for a value", /^<<([A-Za-z_]\w*)/],
]);

/** Matches the names before parentheses with code, because `@can (see below)` is ordinary text. */
function directive(names: string): RegExp {
  const operand = String.raw`["'$\\[]|\w+(?:->|::|\.[A-Z][a-z]|\(["'$\\A-Z)]|\s?(?:[=!<>]=|&&|\|\||[<>]))`;
  return new RegExp(
    String.raw`(?<![\w@.])@(?:${names})\s?\((?=[\s!(]{0,9}(?:${operand})|[^(){}\n]{0,99}\)\s*\{(?![{%]))`,
  );
}

export const foreignTextCode = foreignWords([
  ["Blade Razor", "@if($paid)", condition, directive("if|elseif|unless|isset|empty|switch|auth|can|guest")],
  ["Blade Razor", "@foreach ($items as $item)", loop, directive("foreach|forelse|for|while")],
  ["Blade", "@include('row')", part, directive(String.raw`include\w*|component|each`)],
  ["Blade", "@lang('invoice.due')", 'write `{{ "invoice.due" | t }}`', directive("lang|choice")],
  ["Blade", "@extends('base')", "use `{% layout %}`", directive("extends")],
  ["Blade", "@section('title')", "use `{% block title %}`", directive("section|yield|stack|push|prepend")],
  ["Blade", "@json($items)", "write `{{ items | json }}`", directive("json|dd|dump")],
  [
    "Blade",
    "@php",
    "use `{% assign %}`, or calculate it before you send the data",
    /(?<![\w@.])@php(?=\s*\(\s*["'$\\]|\s[^]{0,2000}?@endphp)/,
  ],
  ["Blade", "{!! $html !!}", "write `{{ html | raw }}`", /\{!!(?=[^]{1,500}?!!\})/],
  [
    "Razor",
    "@Model.Name",
    "write `{{ name }}` for a value",
    /(?<![\w@.])@(?:Model|ViewBag|ViewData|Html|Url)(?:\.|\[")\w+/,
  ],
  [
    "Razor",
    "@(a + b)",
    "write `{{ name }}` for a value",
    /(?<![\w@.])@\((?=[^()\n]{0,99}(?:\s(?:[+*?]|==)\s|\w\.[A-Z][a-z]|\w\())/,
  ],
  ["Razor", "@using System.Linq", "remove it", /(?<![\w@.])@(?:model|using|inherits)\s+[A-Z]\w*[.<]\w/],
  ["Velocity", "#foreach($item in $items)", loop, /(?<![\w&#])#(?:foreach|for)\s?\(\s*\$/],
  ["Velocity", "#if($paid)", condition, /(?<![\w&#])#(?:if|elseif)\s?\([\s!("']{0,9}\$/],
  ["Velocity", "#set($a = 1)", "write `{% assign a = 1 %}`", /(?<![\w&#])#set\s?\(\s*\$/],
  ["Velocity", '#parse("row.vm")', part, /(?<![\w&#])#(?:parse|include|macro)\(\s*(?:["'$]|\w+\s+\$)/],
  [
    "Smarty",
    "{foreach $items as $item}",
    loop,
    /\{(?:foreach|section|for|while)\s[^{}\n]{0,99}(?:\$[A-Za-z_]|\w=)[^{}\n]{0,99}\}/,
  ],
  ["Smarty", "{if $paid}", condition, /\{(?:if|elseif)\s[^{}\n]{0,99}\$[A-Za-z_][^{}\n]{0,99}\}/],
  ["Smarty", "{include file='row.tpl'}", part, /\{(?:include|insert)\s+(?:file|name)=[^{}\n]{0,99}\}/],
  ["Smarty", "{assign var=a value=1}", "write `{% assign a = 1 %}`", /\{assign\s[^{}\n]{0,99}=[^{}\n]{0,99}\}/],
  ["Smarty", "{extends file='base.tpl'}", "use `{% layout %}`", /\{(?:extends|block)\s+\w+=[^{}\n]{0,99}\}/],
  ["Smarty", "{* note *}", comment, /\{\*\s[^{}]{0,999}\s\*\}/],
  ["Smarty", "{literal}", "write `{% raw %}`, or nothing: single braces are text", /\{literal\}/],
  ["jsreport", "{#asset logo.png}", "write `{{ 'logo.png' | asset }}`", /\{#(?:asset|image)\s[^{}\n]{0,99}\}/],
  ["jsreport", "{#child header}", part, /\{#child\s[^{}\n]{0,99}\}/],
  ["Svelte", "{#each items as item}", loop, /\{#each\s[^{}\n]{0,99}\}/],
  ["Svelte", "{#if paid}", condition, /\{#(?:if|await|key)\s[^{}\n]{0,99}\}/],
  ["FreeMarker", "[#if paid]", code, /\[#(?:if|list|assign|include)\b[^\]\n]{0,99}\]/],
]);

const pageNumber = 'write `<span class="pageNumber"></span>` in header.liquid or footer.liquid';
const pageCount = 'write `<span class="totalPages"></span>` in header.liquid or footer.liquid';

/** Text that would be printed unchanged. */
export const foreignPlaceholders = foreignWords([
  ["mPDF dompdf TCPDF html2pdf", "{PAGENO}", pageNumber, /\{PAGENO\}|\{PAGE_NUM\}|\{:p[np]p:\}|\[\[page_cu\]\]/],
  ["mPDF dompdf TCPDF html2pdf", "{nb}", pageCount, /\{nb(?:pg)?\}|\{PAGE_COUNT\}|\{:ptp:\}|\[\[page_nb\]\]/],
  ["mPDF", "{DATE j-m-Y}", 'write `{{ "now" | date: "long" }}`', /\{DATE [^{}\n]{0,99}\}/],
  ["wkhtmltopdf", "[topage]", pageCount, /\[(?:topage|sitepages)\]/],
  ["wkhtmltopdf", "Page [page]", pageNumber, /(?:[Pp]age|[Ss]eite) \[page\]|\[page\](?=[^[\n]{0,20}\[topage\])/],
  ["wkhtmltopdf", "[section]", "write `page.section` in header.liquid", /\[(?:subsection|frompage|webpage|doctitle)\]/],
  ["Thymeleaf", "[[${name}]]", value, /\[[[(]\s*[$#@*]\{([\w.]{1,99})[^{}\n]{0,99}\}\s*[\])]\]/],
  ["FreeMarker Velocity JavaScript", "${name}", value, /(?<![[(]\s?)\$!?\{\s*([A-Za-z_][\w.]{0,99})[^{}\n]{0,99}\}/],
  ["Ruby JSF", "#{name}", value, /(?<![[(]\s?)#\{\s*@?([A-Za-z_][\w.]{0,99})[^{}\n]{0,99}\}/],
  ["InvoiceNinja Velocity", "$company.name", value, /(?<![\w${])\$([A-Za-z_]\w{0,50}\.[\w.]{0,50}\w)(?![\w({])/],
  [
    "InvoiceNinja Velocity PHP",
    "$entity_label",
    value,
    // Only names of several words, because names of stocks and brands have one. Mathematics ends with a second sign.
    /(?<![\w${])\$([a-z][a-z\d]+(?:_[a-z][a-z\d]+)+|[a-z]{2,}[A-Z][a-z]\w*)(?![\w({$]|\.\w)(?![^$\n<]*\$(?!\w))/,
  ],
  ["Smarty", "{$name}", value, /\{\$([A-Za-z_][\w.]{0,99})[^{}\n]{0,99}\}/],
  ["Word", "[[name]]", value, /\[\[\s*([A-Za-z_][\w.-]*)\s*\]\]/],
  ["Word", "##name##", value, /(?:##|%%)([A-Za-z_][\w.-]*)(?:##|%%)/],
  ["Word", "%name%", value, /(?<![\w%])%(?![\da-fA-F]{2}%)([A-Za-z_][\w.-]*)%(?![\w%])/],
  ["Mailchimp", "*|NAME|*", value, /\*\|([A-Za-z_]\w*)\|\*/],
  ["Python", "%(name)s", value, /%\((\w+)\)[sdf]/],
  ["JasperReports", "$F{name}", value, /\$[FPVR]\{(\w+)\}/],
  ["Carbone", "{d.name}", value, /\{d\.([\w.]{1,99})[^{}\n]{0,99}\}/],
  ["Word", "{MERGEFIELD name}", value, /\{\s*MERGEFIELD\s+(\w+)/],
  ["Salesforce", "{!Account.Name}", value, /\{!(\w+\.[\w.]+)\}/],
]);

/** Text that would be printed unchanged, if the first group is a name that the template knows. Otherwise, it may be ordinary text. */
export const foreignKnownNames = foreignWords([
  ["Velocity PHP", "$name", value, /(?<![\w${])\$([A-Za-z_]\w*)(?![\w({])/],
  ["Word", "[name]", value, /(?<![\w[\]])\[([A-Za-z_]\w*)\](?![\w([])/],
  ["Word", "«name»", value, /«\s*([A-Za-z_]\w*)\s*»/],
  ["docxtemplater", "{#items}", "write `{% for item in $1 %}` or `{% if $1 %}`", /\{[#^]([A-Za-z_]\w*)\}/],
]);

/** Elements of other programs, in lower case. A name that ends with `*` stands for all names with its beginning. */
export const foreignElements = foreignWords([
  ["mPDF TCPDF html2pdf", "barcode tcpdf qrcode", "use the filter `barcode` or `qr_code`"],
  ["mPDF xhtml2pdf", "pagebreak tocpagebreak formfeed newpage pdf:nextpage", "use `break-before: page` in CSS"],
  ["mPDF", "htmlpageheader sethtmlpageheader pageheader setpageheader page_header", "write header.liquid"],
  ["mPDF", "htmlpagefooter sethtmlpagefooter pagefooter setpagefooter page_footer", "write footer.liquid"],
  ["html2pdf", "page", "write a file in pages/ for each page"],
  ["xhtml2pdf", "pdf:pagenumber", pageNumber],
  ["xhtml2pdf", "pdf:pagecount", pageCount],
  ["mPDF", "bookmark outline", "headings become bookmarks; remove it"],
  ["mPDF", "toc tocentry indexentry indexinsert", "write links with `target-counter(attr(href), page)` in CSS"],
  ["mPDF", "watermarktext watermarkimage", "use a positioned element in header.liquid"],
  ["mPDF", "dottab", "use `leader(dotted)` in CSS"],
  ["mPDF", "columns columnbreak", "use `columns` in CSS"],
  ["QWeb", "t", code],
  ["JSTL JSP JSF GSP Struts", "c:* fmt:* jsp:* h:* f:* g:* ui:* s:* th:* fn:*", code],
  ["ASP XSLT", "asp:* xsl:*", code],
  ["Angular Vue", "ng-container ng-template ng-content router-link", code],
]);

const attribute = 'write `{{ name }}` into the value, as in `title="{{ name }}"`';
const script = "scripts do not run in documents; remove it";

/** Attributes of other programs, in lower case. A name that ends with `*` stands for all names with its beginning. */
export const foreignAttributes = foreignWords([
  ["Vue QWeb Angular Alpine", "v-for t-foreach t-as *ngfor *ngforof ng-repeat x-for", loop],
  ["Thymeleaf", "th:each data-th-each", loop],
  ["Vue QWeb Angular Alpine", "v-if v-show v-else-if t-if t-elif *ngif ng-if ng-show ng-hide x-if x-show", condition],
  ["Thymeleaf", "th:if th:unless th:switch th:case data-th-if", condition],
  ["Vue QWeb", "v-else t-else *ngifelse", "write `{% else %}`"],
  ["Vue QWeb Angular Alpine", "v-text t-esc t-out t-field ng-bind x-text", "write `{{ name }}` into the element"],
  ["Thymeleaf", "th:text data-th-text", "write `{{ name }}` into the element"],
  ["Vue QWeb Angular Thymeleaf", "v-html t-raw ng-bind-html th:utext", "write `{{ html | raw }}` into the element"],
  ["QWeb Thymeleaf", "t-call th:replace th:insert th:include th:fragment t-name", part],
  ["QWeb", "t-set t-value th:with", "write `{% assign a = 1 %}`"],
  ["Knockout", "data-bind", code],
  ["Vue Alpine Angular", "v-on:* @* (* ng-click ng-change x-on:* on:* wire:* hx-*", script],
  ["Vue Alpine Angular", "v-model ng-model x-model x-data x-init ng-app ng-controller [(*", script],
  ["Vue Angular", "v-bind:* v-bind :* [* ng-src ng-href ng-class ng-style x-bind:* bind:*", attribute],
  ["Thymeleaf QWeb", "th:* data-th-* t-att* t-options", attribute],
  ["Vue Angular Alpine", "v-* *ng* ng-*", code],
  ["React", "classname", "write `class`"],
]);

/** Comments in which other programs write code; the patterns match their beginning. */
export const foreignComments = foreignWords([
  ["mPDF", '<!--mpdf <htmlpageheader name="h"> mpdf-->', "write header.liquid and footer.liquid", /^<!--mpdf\b/],
  ["Thymeleaf", "<!--/*/ <p> /*/-->", "write the HTML without the comment", /^<!--\/\*\//],
]);
