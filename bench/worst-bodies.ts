export type WorstBody = { readonly name: string; readonly body: string }

export type Schema = {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Returns bodies within a size limit that are hard to refuse, by a route's schema. */
export function worstBodies(schema: Schema, bytes: number): readonly WorstBody[] {
  const fields = Object.entries(schema.properties ?? {})
  const lists = fields.filter(([, { type }]) => type === 'array').map(([name]) => name)
  const texts = fields.filter(([, { type }]) => [type].flat().includes('string')).map(([name]) => name)
  return [
    { name: 'unknown fields', body: filled('{', '}', bytes, (index) => `"${index.toString(36)}":1`) },
    { name: 'unknown numbers', body: filled('{', '}', bytes, (index) => `"${index}":1`) },
    { name: 'unknown objects', body: filled('{', '}', bytes, (index) => `"${index.toString(36)}":{}`) },
    { name: 'one long name', body: `{"${'x'.repeat(bytes - 6)}":1}` },
    { name: 'a list for an object', body: filled('[', ']', bytes, () => '{}') },
    { name: 'lists of nothing', body: filled('{"x":[', ']}', bytes, () => '[]') },
    { name: 'numbers', body: filled('{"x":[', ']}', bytes, () => '1') },
    { name: 'deep lists', body: filled('{"x":[', ']}', bytes, () => '['.repeat(29) + ']'.repeat(29)) },
    { name: 'a key repeated at the end', body: filled('{"x":[', '],"x":1}', bytes, () => '{"a":1,"b":2}') },
    { name: 'not JSON at the end', body: filled('{"x":[', ']', bytes, () => '{}') },
    ...lists.flatMap((name) => [
      { name: `${name}: objects`, body: filled(`{"${name}":[`, ']}', bytes, () => '{}') },
      { name: `${name}: texts`, body: filled(`{"${name}":[`, ']}', bytes, (index) => `"${index}"`) },
      { name: `${name}: 50 wide ones`, body: wideItems(name, bytes) },
    ]),
    ...texts.flatMap((name) => [
      { name: `${name}: spaces`, body: `{"${name}":"${' '.repeat(bytes - name.length - 7)}"}` },
      { name: `${name}: long`, body: `{"${name}":"${'a@'.repeat((bytes - name.length - 7) / 2)}"}` },
    ]),
  ]
}

function filled(first: string, last: string, bytes: number, part: (index: number) => string): string {
  const parts: string[] = []
  for (let left = bytes - first.length - last.length; ; ) {
    const next = part(parts.length)
    left -= next.length + 1
    if (left < 0) return first + parts.join() + last
    parts.push(next)
  }
}

function wideItems(name: string, bytes: number): string {
  const each = Math.floor((bytes - name.length - 8) / 50) - 1
  const item = filled('{', '}', each, (index) => `"${index.toString(36)}":1`)
  return `{"${name}":[${Array.from({ length: 50 }, () => item).join()}]}`
}

/** Parts whose repetition makes a file that is hard to read as a table. */
const PARTS = ['"', '"" ', '"";""\n', '"\r\n"\r\n', '\r', '\n', ';', ';;;;\n', 'a', 'ü', '\t', ' ']

/** Returns bodies with a file of the size that is no table. */
export function worstFiles(bytes: number): readonly WorstBody[] {
  return PARTS.map((part) => {
    const file = Buffer.from(part.repeat(bytes / part.length)).subarray(0, bytes)
    return {
      name: `a file of ${JSON.stringify(part)}`,
      body: JSON.stringify({ file: file.toString('base64') }),
    }
  })
}
