// Writes the Unicode property sets as V8 (with its ICU) really has them, for
// ../ucd.go:
//
//	node gen/ecma.js | gzip -9n > ecma.txt.gz
//
// A name is listed when `new RegExp("\\p{name}", "u")` accepts it. The
// candidate names come from ECMA-262 (tables of binary properties and of
// General_Category values) and, for scripts, from every possible four-letter
// ISO 15924 code plus the long names known to the Unicode character database.
'use strict'

let all = ''
for (let c = 0; c < 0xd800; c++) all += String.fromCodePoint(c)
for (let c = 0xe000; c <= 0x10ffff; c++) all += String.fromCodePoint(c)

const accepted = p => {
  try {
    new RegExp(`\\p{${p}}`, 'u')
    return true
  } catch {
    return false
  }
}

// ranges returns [lo, hi] pairs of all code points in \p{prop}.
function ranges(prop) {
  const out = []
  const push = (lo, hi) => {
    const last = out[out.length - 1]
    if (last && last[1] === lo - 1) last[1] = hi
    else out.push([lo, hi])
  }
  const runs = []
  for (const m of all.matchAll(new RegExp(`\\p{${prop}}+`, 'gu'))) {
    let lo = m[0].codePointAt(0)
    let prev = lo
    for (const ch of m[0]) {
      const c = ch.codePointAt(0)
      if (c > prev + 1) {
        runs.push([lo, prev])
        lo = c
      }
      prev = c
    }
    runs.push([lo, prev])
  }
  const one = new RegExp(`^\\p{${prop}}$`, 'u')
  for (let c = 0xd800; c < 0xe000; c++) if (one.test(String.fromCharCode(c))) runs.push([c, c])
  runs.sort((a, b) => a[0] - b[0])
  for (const [lo, hi] of runs) push(lo, hi)
  return out
}

// encode writes gaps and lengths in base 36: "gap" or "gap.extra" per range.
function encode(rs) {
  let prev = -1
  return rs
    .map(([lo, hi]) => {
      const s = (lo - prev - 1).toString(36) + (hi > lo ? '.' + (hi - lo).toString(36) : '')
      prev = hi
      return s
    })
    .join(' ')
}

// group prints one line per distinct set: kind, names joined by "|", ranges.
function group(kind, names, prefix) {
  const bySet = new Map()
  for (const n of names) {
    if (!accepted(prefix + n)) continue
    const e = encode(ranges(prefix + n))
    if (!bySet.has(e)) bySet.set(e, [])
    bySet.get(e).push(n)
  }
  for (const [e, ns] of bySet) console.log(`${kind}\t${ns.join('|')}\t${e}`)
}

const gc = `Cased_Letter LC Close_Punctuation Pe Connector_Punctuation Pc Control Cc cntrl Currency_Symbol Sc Dash_Punctuation Pd
Decimal_Number Nd digit Enclosing_Mark Me Final_Punctuation Pf Format Cf Initial_Punctuation Pi Letter L Letter_Number Nl Line_Separator Zl
Lowercase_Letter Ll Mark M Combining_Mark Math_Symbol Sm Modifier_Letter Lm Modifier_Symbol Sk Nonspacing_Mark Mn Number N
Open_Punctuation Ps Other C Other_Letter Lo Other_Number No Other_Punctuation Po Other_Symbol So Paragraph_Separator Zp Private_Use Co
Punctuation P punct Separator Z Space_Separator Zs Spacing_Mark Mc Surrogate Cs Symbol S Titlecase_Letter Lt Unassigned Cn
Uppercase_Letter Lu`.split(/\s+/)

const binary = `ASCII ASCII_Hex_Digit AHex Alphabetic Alpha Any Assigned Bidi_Control Bidi_C Bidi_Mirrored Bidi_M Case_Ignorable CI Cased
Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded CWKCF
Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia Emoji
Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext
Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator IDST ID_Continue IDC ID_Start
IDS Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE Lowercase Lower Math Noncharacter_Code_Point NChar Pattern_Syntax
Pat_Syn Pattern_White_Space Pat_WS Quotation_Mark QMark Radical Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD
Terminal_Punctuation Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS White_Space space XID_Continue XIDC XID_Start
XIDS Full_Composition_Exclusion Comp_Ex Grapheme_Link Gr_Link Hyphen Expands_On_NFC IDS_Unary_Operator IDSU ID_Compat_Math_Continue
ID_Compat_Math_Start Modifier_Combining_Mark MCM Prepended_Concatenation_Mark PCM Other_Alphabetic`.split(/\s+/)

const longScripts = require('fs').readFileSync(__dirname + '/scripts.txt', 'utf8').split(/\s+/).filter(Boolean)
const scripts = [...longScripts]
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const lower = upper.toLowerCase()
for (const w of upper) for (const x of lower) for (const y of lower) for (const z of lower) scripts.push(w + x + y + z)
const uniqueScripts = [...new Set(scripts)]

group('gc', gc, 'gc=')
group('bin', binary, '')
group('sc', uniqueScripts, 'sc=')
group('scx', uniqueScripts, 'scx=')
