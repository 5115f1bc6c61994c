// The elements of HTML, and how they nest.

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Elements without content, which have no end tag. */
export const voidElements = set("area base br col embed hr img input link meta param source track wbr");

/** Elements whose end tag may be left out, because the next tag or the end of their parent ends them. */
export const optionalEnds = set(
  "body caption colgroup dd dt head html li optgroup option p rb rp rt rtc tbody td tfoot th thead tr",
);

/** Elements that end an open paragraph when they begin. */
export const endsParagraph = set(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr listing main menu nav ol p plaintext pre search section summary table ul xmp",
);

/** An open paragraph outside one of these elements stays open inside it. */
export const paragraphScopes = set("applet button caption foreignobject html marquee object svg table td template th");

export const htmlElements = set(
  "a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins kbd keygen label legend li link listing main map mark marquee menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp math",
);
