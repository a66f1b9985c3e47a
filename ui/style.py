"""The look of what the pages draw themselves. Text takes Streamlit's colours, so light and dark both work."""

from __future__ import annotations

from html import escape
from typing import Final, Literal

from ui.language import _

Tone = Literal["good", "bad", "open"]

CSS: Final = """
<style>
.stMainBlockContainer { padding-top: 2.75rem; padding-bottom: 3rem; max-width: 80rem; }
.st-key-kingdom textarea { font-family: monospace; font-size: 1.05rem; }
.stButton button, .stFormSubmitButton button, .stFileUploader button, .stPageLink a, [data-testid="stSidebarNavLink"],
  [data-testid="stTopNavLink"], [data-testid="stExpander"] summary, [data-testid="stTab"], .stTabs [role="tab"],
  .stSelectbox [role="group"], .stMultiSelect [role="group"], .stMultiSelect button, .stTextInput input,
  .stButtonGroup button, .stCameraInput button,
  [data-testid="stSidebarCollapseButton"] button, [data-testid="stExpandSidebarButton"],
  [data-testid="stPopoverButton"], .stDownloadButton button { min-height: 2.75rem; }
[data-testid="stExpandSidebarButton"], .stDateInput button, .stMultiSelect button { min-width: 2.75rem; }
/* On a phone the pages are behind this button, which says so. */
[data-testid="stExpandSidebarButton"] { width: auto; padding: 0 .5rem; }
[data-testid="stExpandSidebarButton"]::after { content: "MENU"; margin-left: .25rem; font-size: 1rem; }
.stDateInput button { min-height: 2.75rem; }
.stToggle label, .stCheckbox label, .stRadio [role="radiogroup"] label { min-height: 2.75rem; min-width: 2.75rem;
  align-items: center; }
.kd-advice { margin: 0; padding-left: 1.1rem; line-height: 1.45; }
.kd-name { overflow-wrap: anywhere; unicode-bidi: isolate; }
.kd-dot { display: inline-block; width: .85rem; height: .85rem; border-radius: 50%; border: 1px solid #30323d;
  margin-right: .35rem; vertical-align: -1px; }
.kd-podium { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.4rem, 1fr)); gap: .6rem; align-items: end;
  margin: 0; padding: 0; list-style: none; }
/* Streamlit moves lists in; these are rows of cards. */
ol.kd-podium, ol.kd-slots, ol.kd-podium li, ol.kd-slots li { margin-left: 0 !important; list-style: none; }
ol.kd-podium, ol.kd-slots { padding-left: 0 !important; }
.kd-podium li { margin: 0; border-radius: .6rem; padding: .6rem .7rem; background: rgba(138,143,156,.16);
  border-bottom: .35rem solid #8a8f9c; }
.kd-podium .kd-first { background: rgba(239,197,74,.25); border-bottom-color: #d8a31a; }
.kd-crown { display: inline-block; width: 1.35rem; height: 1.1rem; vertical-align: -2px; margin-right: .3rem; }
.kd-podium p { margin: 0; }
.kd-podium strong { font-size: 1.9rem; line-height: 1.15; }
.kd-podium .kd-place { display: block; font-size: .9rem; opacity: .8; }
.kd-slots { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .5rem; margin: 0; padding: 0;
  list-style: none; }
.kd-slots li { margin: 0; border: 1px solid rgba(128,128,128,.35); border-radius: .5rem; padding: .5rem .4rem;
  overflow-wrap: anywhere; }
.kd-slots .kd-free { border-style: dashed; opacity: .75; }
.kd-slots h4 { margin: 0 0 .25rem; padding: 0; font-size: .95rem; }
.kd-slots p { margin: 0; font-size: .92rem; }
.kd-slots .kd-crown { width: 1rem; height: .8rem; margin-right: .15rem; }
.kd-slots .kd-dot { width: .7rem; height: .7rem; margin-right: .2rem; }
.kd-domino { display: inline-block; width: 6rem; height: 3rem; border-radius: .4rem; border: 2px solid #1d1a16; }
.kd-hands { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.8rem, 1fr)); gap: .6rem; margin: 0;
  padding: 0; list-style: none; }
ul.kd-hands { margin-left: 0 !important; padding-left: 0 !important; max-width: 46rem; }
ul.kd-hands li { margin: 0; padding: 0; list-style: none; overflow-wrap: anywhere; }
.kd-hands img.kd-thumbnail { display: block; width: 100%; aspect-ratio: 1; object-fit: cover; border-radius: .4rem; }
.kd-hands strong { font-size: 1.2rem; }
.kd-qr { display: block; width: min(16rem, 100%); height: auto; background: #fff; border-radius: .5rem; }
.st-key-rules-text table { display: block; overflow-x: auto; max-width: 100%; }
@media (max-width: 640px) { .st-key-rules-text :is(td, th) { padding: .3rem .35rem; font-size: .875rem; } }
.kd-prose { max-width: 46rem; overflow-wrap: anywhere; }
.kd-board { display: block; width: 100%; height: auto; margin: 0 auto; }
.kd-points { margin: 0; text-align: center; font-size: 1.1rem; }
.kd-points strong { font-size: 2.6rem; line-height: 1.1; margin-right: .2rem; }
.kd-icon { display: block; width: 1.8rem; height: 1.8rem; border-radius: .3rem; flex: none; }
.kd-table { width: 100%; border-collapse: collapse; font-size: 1rem; }
.kd-table td, .kd-table th { padding: .3rem .35rem; border: 0; border-bottom: 1px solid rgba(128,128,128,.28);
  text-align: left; font-weight: 400; vertical-align: middle; }
.kd-table .kd-picture { width: 2.4rem; }
.kd-table .kd-number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.kd-table .kd-why { opacity: .75; font-size: .9rem; }
.kd-table .kd-nothing { opacity: .6; }
.kd-table tfoot th { font-weight: 700; font-size: 1.25rem; border-bottom: 0; }
.kd-message { border-left: .35rem solid; border-radius: .4rem; padding: .7rem .9rem;
  overflow-wrap: anywhere; }
.kd-message p { margin: 0; }
.kd-message p + ul { margin: .5rem 0 0; padding-left: 1.2rem; }
.kd-message .kd-headline { font-weight: 600; }
.kd-good { border-color: #1f8f4d; background: rgba(31,143,77,.13); }
.kd-bad { border-color: #d3122f; background: rgba(211,18,47,.12); }
.kd-open { border-color: #8a8f9c; background: rgba(138,143,156,.16); }
.kd-list { margin: 0; padding-left: 1.6rem; line-height: 1.55; overflow-wrap: anywhere; }
.kd-legend { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .45rem .8rem;
  margin-top: .6rem; list-style: none; }
ul.kd-legend, ul.kd-legend li { margin-left: 0; padding-left: 0; }
.kd-legend li { display: flex; align-items: center; gap: .5rem; margin: 0; }
.kd-legend code { font-size: 1rem; }
</style>
""".replace("MENU", _("Menu"))

_SIGNS: Final[dict[Tone, str]] = {"good": "✓", "bad": "✗", "open": "\u2139\ufe0e"}


def message(tone: Tone, headline: str, details: tuple[str, ...] = ()) -> str:
    """A message as HTML. Everything in it is text: nothing a person typed can become markup."""
    items = "".join(f"<li>{escape(detail)}</li>" for detail in details)
    role = "alert" if tone == "bad" else "status"
    return (
        f'<div class="kd-message kd-{tone}" role="{role}">'
        f'<p class="kd-headline"><span aria-hidden="true">{_SIGNS[tone]}</span> {escape(headline)}</p>'
        + (f"<ul>{items}</ul>" if items else "")
        + "</div>"
    )
