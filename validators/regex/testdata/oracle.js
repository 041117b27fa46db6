// The ECMAScript oracle: one JSON request per line on standard input,
// {"d":"ecma-u","p":pattern,"s":[strings]}, one answer per line:
// {"m":[booleans]} or {"e":message} when the pattern does not compile.
'use strict'
const rl = require('readline').createInterface({ input: process.stdin, crlfDelay: Infinity })
rl.on('line', line => {
  const { d, p, s } = JSON.parse(line)
  let answer
  try {
    const re = new RegExp(p, d === 'ecma-u' ? 'u' : '')
    answer = { m: s.map(x => re.test(x)) }
  } catch (e) {
    answer = { e: e.message }
  }
  process.stdout.write(JSON.stringify(answer) + '\n')
})
