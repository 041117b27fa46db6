// Finds the raw text of the parts of a request line.
//
// A validator must see what the host's own JSON.parse makes of the server's text: 1.0, 1e400,
// duplicate keys and "__proto__" members included. Parsing the whole line and writing the parts
// out again would lose that, so the parts are cut out of the line as text and parsed one by one.

const WS = new Set([' ', '\t', '\n', '\r']);

/** Index of the first non-blank character at or after i. */
function skipBlank(text, i) {
  while (i < text.length && WS.has(text[i])) i++;
  return i;
}

/** Index just after the string literal that starts at i. */
function endOfString(text, i) {
  for (i++; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
  }
  throw new SyntaxError('unterminated string in the request line');
}

/** Index just after the JSON value that starts at i. Iterative: depth costs no stack. */
function endOfValue(text, i) {
  if (text[i] === '"') return endOfString(text, i);
  if (text[i] !== '{' && text[i] !== '[') {
    while (i < text.length && !WS.has(text[i]) && !',]}'.includes(text[i])) i++;
    return i;
  }
  for (let depth = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '"') i = endOfString(text, i) - 1;
    else if (c === '{' || c === '[') depth++;
    else if ((c === '}' || c === ']') && --depth === 0) return i + 1;
  }
  throw new SyntaxError('unterminated object or array in the request line');
}

/** The members of a JSON object as [name, raw text of the value] pairs, in order. */
export function rawMembers(text) {
  const members = [];
  let i = skipBlank(text, 0);
  if (text[i] !== '{') throw new SyntaxError('a request line must be an object');
  i = skipBlank(text, i + 1);
  while (text[i] !== '}') {
    if (text[i] !== '"') throw new SyntaxError(`a member name was expected at offset ${i}`);
    const nameEnd = endOfString(text, i);
    const name = JSON.parse(text.slice(i, nameEnd));
    i = skipBlank(text, nameEnd);
    if (text[i] !== ':') throw new SyntaxError(`":" was expected at offset ${i}`);
    i = skipBlank(text, i + 1);
    const valueEnd = endOfValue(text, i);
    members.push([name, text.slice(i, valueEnd)]);
    i = skipBlank(text, valueEnd);
    if (text[i] === ',') i = skipBlank(text, i + 1);
    else if (text[i] !== '}') throw new SyntaxError(`"," or "}" was expected at offset ${i}`);
  }
  return members;
}

/** The elements of a JSON array as raw texts, in order. */
export function rawElements(text) {
  const elements = [];
  let i = skipBlank(text, 0);
  if (text[i] !== '[') throw new SyntaxError('"instances" must be an array');
  i = skipBlank(text, i + 1);
  while (text[i] !== ']') {
    const end = endOfValue(text, i);
    if (end === i) throw new SyntaxError(`a value was expected at offset ${i}`);
    elements.push(text.slice(i, end));
    i = skipBlank(text, end);
    if (text[i] === ',') i = skipBlank(text, i + 1);
    else if (text[i] !== ']') throw new SyntaxError(`"," or "]" was expected at offset ${i}`);
  }
  return elements;
}
