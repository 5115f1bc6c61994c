// The words that authors know from other template engines, and what to write instead. Messages, and the guide for authors who move their
// templates, use these tables. A word that Liquid has in the same place is not foreign.
import { shortened } from "colophon-base/text";

/**
 * `engines` are the engines with this word, the best known first. `foreign` are words with the same advice, separated by spaces; with
 * a `pattern`, it is one example instead, which the pattern matches. `advice` ends a message, such as "write `upcase`"; `$1` in it
 * stands for the first group of the pattern.
 */
export type ForeignWord = { engines: string; foreign: string; advice: string; pattern?: RegExp };

type Row = [engines: string, foreign: string, advice: string, pattern?: RegExp];

export function foreignWords(rows: readonly Row[]): readonly ForeignWord[] {
  return rows.map(([engines, foreign, advice, pattern]) => ({ engines, foreign, advice, ...(pattern && { pattern }) }));
}

/** Returns the words of the tables without a pattern, each with its row. The first row of a word counts. */
export function byWord(rows: readonly ForeignWord[]): ReadonlyMap<string, ForeignWord> {
  const words = rows
    .filter(({ pattern }) => !pattern)
    .flatMap((row) => row.foreign.split(" ").map((word) => ({ word, row })));
  return new Map(words.toReversed().map(({ word, row }) => [word, row]));
}

/** Returns the advice for `written`, which the row's pattern matches. */
export function adviceOf({ advice, pattern, foreign }: ForeignWord, written = foreign): string {
  return advice.replaceAll("$1", shortened(pattern?.exec(written)?.[1] ?? "…"));
}

const part = 'write a part in parts/, and `{% render "row", item: item %}`';

/** Tags that Liquid lacks. */
export const foreignTags = foreignWords([
  ["Jinja Blade", "elseif elif", "write `elsif`"],
  ["Twig Jinja", "set let var", "write `assign`"],
  ["Smarty PHP", "foreach each loop", "write `for`"],
  ["Twig JavaScript", "switch", "write `case`"],
  ["JavaScript", "default", "write `else`"],
  ["Twig", "print output", "write `echo`"],
  ["Twig Jinja Shopify", "include", 'use `render`, and give it what the part needs: `{% render "row", item: item %}`'],
  ["Twig Jinja Django", "extends embed", "use `layout`"],
  ["Twig Jinja", "macro call function def", part],
  ["Twig Jinja Django", "import from use load", 'parts need no import; write `{% render "row", item: item %}`'],
  ["Nunjucks Jinja", "filter apply", "use `capture`, and a filter for what it has captured"],
  ["Twig Jinja Django", "with do", "use `assign`"],
  ["Twig Jinja Django", "autoescape", "every value is escaped already; the filter `raw` prints HTML"],
  ["Twig Django", "verbatim templatetag", "write `raw`"],
  ["Twig Django", "spaceless", "write `{%-` and `-%}`, which remove white space"],
  ["Twig Django", "trans translate blocktrans blocktranslate trans_default_domain", "use the filter `t`"],
  ["Django", "empty forelse", "write `{% else %}` inside `{% for %}`"],
  ["Django", "static", "use the filter `asset`"],
  ["Django Twig", "url path", "write the address itself"],
  ["Django", "now", 'write `{{ "now" | date: "long" }}`'],
  ["Django", "ifequal ifnotequal", "write `{% if a == b %}` or `{% if a != b %}`"],
  ["Twig JavaScript", "while", "loop over a list or a range with `for`, as in `{% for i in (1..3) %}`"],
  ["Blade", "section yield stack slot", "use `block`"],
  ["Shopify Django", "form paginate csrf_token form_theme", "documents are static; remove it"],
  ["Twig", "cache flush sandbox deprecated dump", "remove it"],
]);

const escaped = "every value is escaped already; remove it";
const inData = "send the result in the data";

/** Filters that Liquid lacks, and methods and functions that a filter replaces. */
export const foreignFilters = foreignWords([
  ["Twig Jinja PHP", "upper uppercase upper_case strtoupper mb_strtoupper toUpperCase", "write `upcase`"],
  ["Twig Jinja PHP", "lower lowercase lower_case strtolower mb_strtolower toLowerCase", "write `downcase`"],
  ["Jinja Django PHP", "ucfirst capfirst upper_first cap_first", "write `capitalize`"],
  ["Twig Jinja PHP", "title titlecase ucwords", "use `text-transform: capitalize` in CSS, or `capitalize` for a word"],
  ["Twig Jinja JavaScript", "trim", "write `strip`"],
  ["PHP Twig", "ltrim trimStart", "write `lstrip`"],
  ["PHP Twig", "rtrim trimEnd chop", "write `rstrip`"],
  ["Twig Jinja PHP", "length count len sizeof strlen mb_strlen", "write `size`"],
  ["Twig Django PHP", "nl2br linebreaks linebreaksbr nl_to_br multiline", "write `newline_to_br`"],
  ["Jinja Django Nunjucks", "safe html noescape no_esc unescape html_safe trustHtml", "write `raw`"],
  ["Twig Jinja PHP", "e h esc escape_html html_escape force_escape htmlspecialchars htmlentities forceescape", escaped],
  ["Twig Django PHP", "striptags strip_tags removetags", "write `strip_html`"],
  ["Twig Symfony Angular", "trans translate tr gettext ngettext trans_choice i18n", "write `t`"],
  [
    "Shopify Twig",
    "money format_money format_money_pdf format_currency formatCurrency formatMoney",
    'write `currency: "EUR"`',
  ],
  ["Shopify Rails", "money_with_currency money_without_currency number_to_currency", 'write `currency: "EUR"`'],
  ["Twig PHP", "number_format format_number formatNumber numberFormat localizednumber", "write `number: 2`"],
  ["Django Angular JavaScript", "floatformat intcomma decimal toFixed toLocaleString to_fixed", "write `number: 2`"],
  ["Shopify Twig", "percentage format_percent number_to_percentage", "write `percent`"],
  ["Twig Smarty", "date_format format_date dateFormat formatDate strftime", 'write `date: "long"`'],
  ["Twig Vue JavaScript", "localizeddate format_datetime datetime moment toLocaleDateString", 'write `date: "long"`'],
  ["Twig JavaScript", "format_time formatTime localizedtime toLocaleTimeString time_format", "write `time`"],
  ["Twig", "date_modify date_add addDays", `write \`date: "%s" | plus: 86400 | date: "long"\` for a day, or ${inData}`],
  ["Twig Django", "timesince timeuntil time_ago timeago ago diffForHumans", inData],
  ["Django Jinja JavaScript", "default_if_none d coalesce nvl fallback", 'write `default: "…"`'],
  ["Jinja", "selectattr select filter", 'write `where: "name", value`'],
  ["Jinja", "rejectattr", 'write `reject: "name", value`'],
  ["Jinja", "groupby", 'write `group_by: "name"`'],
  ["Twig Laravel", "column pluck attribute", 'write `map: "name"`'],
  ["Jinja Django", "dictsort sortBy orderBy order_by sort_by usort", 'write `sort: "name"`'],
  ["Django JavaScript Shopify", "add addition increment", "write `plus: 1`"],
  ["Handlebars", "sub subtract decrement", "write `minus: 1`"],
  ["Handlebars", "mul multiply multiplied_by", "write `times: 2`"],
  ["Handlebars", "div divide divideby", "write `divided_by: 2`"],
  ["Handlebars", "mod remainder divisibleby", "write `modulo: 2`, and compare the result with 0"],
  ["Twig Jinja PHP", "min", "write `at_most: 10`, or `sort | first` for a list"],
  ["Twig Jinja PHP", "max", "write `at_least: 10`, or `sort | last` for a list"],
  ["PHP", "implode array_to_string", 'write `join: ", "`'],
  ["PHP", "explode str_split", 'write `split: ", "`'],
  ["PHP JavaScript", "array_sum total", 'write `sum: "price"`'],
  ["Twig Jinja", "keys values items entries", "loop over the object; `pair[0]` is a key, and `pair[1]` its value"],
  ["Twig PHP", "merge array_merge", "write `concat`"],
  ["Twig Jinja", "random shuffle", "documents have no random values; " + inData],
  ["Jinja", "wordwrap center indent", "use CSS"],
  ["Jinja", "wordcount", 'write `split: " " | size`'],
  ["Twig Jinja", "batch chunk columns", "use `tablerow`, or `limit` and `offset` in `for`"],
  ["Twig Jinja", "json_encode tojson to_json jsonify stringify json_script pprint dump", "write `json`"],
  ["Twig Django", "urlencode encodeURIComponent rawurlencode cgi_escape", "write `url_encode`"],
  ["Twig", "u", "write a filter for its method, such as `truncate: 100`, `downcase` or `slugify`"],
  ["Django Laravel", "truncatechars ellipsis limit str_limit truncate_chars excerpt", "write `truncate: 100`"],
  ["Twig Jekyll", "markdown_to_html md md2html markdownify marked", "write `markdown`"],
  ["Shopify", "asset_url file_url image_url img_url image_tag img_tag", "write `<img src=\"{{ 'a.png' | asset }}\">`"],
  ["Symfony", "encore_entry_css_source encore_entry_link_tags vite_entry_link_tags", "put styles into style.css"],
  ["Jinja Twig PHP", "int integer intval to_int parseInt", "write `floor`"],
  ["Jinja PHP", "float floatval to_float parseFloat to_number", "write `times: 1.0`"],
  ["Jinja", "string toString strval to_string", "every value is printed as text; remove it"],
  ["Django Shopify Rails", "pluralize inflect pluralise", 'write `plural: "item", "items"`'],
  ["Twig Shopify Rails", "slug handle handleize parameterize slugify_url", "write `slugify`"],
  ["Twig PHP", "format sprintf printf vsprintf", "use the filters `append`, `number` and `date`"],
  ["Twig PHP", "spellout number_to_words country_name currency_name language_name md5 sha1", inData],
  ["PHP Twig", "substr mb_substr substring slice_text left", "write `slice: 0, 10`"],
  ["Twig", "nl2str", 'write `replace: "\\n", " "`'],
  ["PHP", "str_replace preg_replace replaceAll gsub", 'write `replace: "a", "b"`'],
  ["Laravel PHP", "unique array_unique distinct", "write `uniq`"],
]);

/** Functions that Liquid lacks. A filter replaces those in `foreignFilters`. */
export const foreignFunctions = foreignWords([
  ["Twig Jinja PHP", "range", "write a range as `(1..3)`"],
  ["Jinja Blade", "_ __ t $t lang pgettext", 'use the filter `t`, as in `"invoice.due" | t`'],
  ["Twig Blade", "asset public_path storage_path mix img_src", "use the filter `asset`, as in `'logo.png' | asset`"],
  ["Blade Twig Jinja", "route url path secure_url action", "write the address itself"],
  ["Flask", "url_for", "use the filter `asset` for a file, and write other addresses"],
  ["Twig Jinja", "include partial view", 'write `{% render "row", item: item %}`'],
  ["Twig Jinja", "parent super", "write `{{ block.super }}`"],
  ["Twig", "block", "write `{% block title %}{% endblock %}`"],
  ["Twig Jinja", "cycle", 'write `{% cycle "odd", "even" %}`'],
  ["Jinja", "namespace dict", "use `assign`"],
  ["Twig PHP", "var_dump print_r dd debug", "write `{{ value | json }}`"],
  ["Twig PHP", "date now strtotime time Date Carbon parse", 'write `{{ "now" | date: "long" }}`, or the filter `date`'],
  ["PHP Twig", "isset defined exists", "write `!= nil`, or the value alone if it is not a boolean"],
  ["PHP", "is_null", "write `== nil`"],
  ["PHP Laravel", "empty blank", "write `== blank`"],
  ["Laravel", "filled has", "write `!= blank`"],
  ["Twig", "attribute", "write `item[key]`"],
  ["PHP Twig", "constant config env session auth app setting option get_option", "send the value in the data"],
  ["Go", "printf print html js", "use a filter instead of a function"],
]);

/** Names that Liquid lacks; a field or variable with such a name is not foreign. */
export const foreignNames = foreignWords([
  ["Twig Jinja Django Blade", "loop", "write `forloop`, as in `forloop.index` or `forloop.last`"],
  ["Handlebars JavaScript Smarty", "this self it", "write the variable of the loop, as in `item.name`"],
  ["Handlebars", "else", "write `{% else %}`"],
  ["Go", "range", "write `{% for item in items %}`"],
  ["Go", "if unless", "write `{% if paid %}`"],
  ["Go", "end", "write `{% endfor %}` or `{% endif %}`"],
  ["Twig Jinja", "endif endfor endforeach endunless", "write a tag, as in `{% endif %}`"],
  ["Jinja JavaScript", "None undefined NULL Null NONE", "write `nil`"],
  ["Twig Django", "now today", 'write `{{ "now" | date: "long" }}`'],
  ["Twig Django", "app request session user settings config site", "add a field to template.json for it"],
  ["mPDF", "PAGENO pageno page_number pageNumber", "write `page.number` in header.liquid or footer.liquid"],
  ["mPDF", "nb nbpg total_pages totalPages pageCount", "write `page.total` in header.liquid or footer.liquid"],
  ["Angular Vue", "index $index", "write `forloop.index0`"],
  ["Jinja", "super parent", "write `{{ block.super }}`"],
  ["Jinja Shopify", "not", "use `unless`, or compare with `== false`"],
]);

/** Properties that values lack, each with the property that is meant. */
export const foreignProperties = foreignWords([
  ["JavaScript Jinja C#", "length count Length Count", "size"],
  ["Django", "counter iteration", "index"],
  ["Django", "counter0", "index0"],
  ["Twig Django", "revindex revcounter", "rindex"],
  ["Twig", "revindex0", "rindex0"],
  ["Twig Blade", "parent", "parentloop"],
]);
