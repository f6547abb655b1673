type Body = readonly [name: string, body: string | Uint8Array]

const bytes = (...values: (string | number)[]) =>
  Buffer.concat(
    values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.from([value]))),
  )
export const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

export const WRONG_SIGNS: readonly Body[] = [
  ['cut off', '{"first_name":"x"'],
  ['a brace', '{'],
  ['two values', '{}{}'],
  ['spaces only', ' \n '],
  ['a trailing comma', '{"first_name":"x",}'],
  ['a trailing comma in a list', '{"license_classes":["B",]}'],
  ['single quotes', "{'first_name':'x'}"],
  ['bare keys', '{first_name:"x"}'],
  ['a comment', '{"first_name":"x"/**/}'],
  ['NaN', '{"max_daily_units":NaN}'],
  ['Infinity', '{"max_daily_units":Infinity}'],
  ['undefined', '{"first_name":undefined}'],
  ['a leading zero', '{"max_daily_units":05}'],
  ['a leading plus', '{"max_daily_units":+5}'],
  ['hexadecimal', '{"max_daily_units":0x10}'],
  ['an underscore', '{"max_daily_units":1_0}'],
  ['a bare point', '{"max_daily_units":5.}'],
  ['True', '{"active":True}'],
  ['a raw newline in a string', '{"notes":"a\nb"}'],
  ['a raw NUL in a string', '{"notes":"a\0b"}'],
  ['an unknown escape', '{"notes":"\\x41"}'],
  ['half an escape', '{"notes":"\\u12"}'],
  ['a byte order mark', '\ufeff{"first_name":"x"}'],
]

export const WRONG_KEYS_OR_DEPTH: readonly Body[] = [
  ['a repeated key', '{"first_name":"x","first_name":"y"}'],
  ['a repeated key in another spelling', '{"first_name":"x","first\\u005fname":"y"}'],
  ['a repeated key within', '{"vacations":[{"note":"x","note":"x"}]}'],
  ['a repeated unknown key', '{"a":{"b":[{"c":1,"d":{},"c":1}]}}'],
  ['__proto__', '{"__proto__":{"first_name":"x"}}'],
  ['__proto__ in another spelling', '{"\\u005f_proto__":{}}'],
  ['__proto__ within', '{"vacations":[{"__proto__":{}}]}'],
  ['33 lists', nested(33, '[', ']')],
  ['33 objects', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`],
  ['33 levels below a field', `{"notes":${nested(32, '[', ']')}}`],
  ['7,000 levels', `{"notes":${nested(7000, '[', ']')}}`],
  ['600 objects', `{"notes":${'{"a":'.repeat(600)}1${'}'.repeat(600)}}`],
]

export const WRONG_BYTES: readonly Body[] = [
  ['a lone byte 0xFF', bytes('{"notes":"', 0xff, '"}')],
  ['a cut off character', bytes('{"notes":"', 0xc3, '"}')],
  ['an invalid pair', bytes('{"notes":"', 0xc3, 0x28, '"}')],
  ['an overlong slash', bytes('{"notes":"', 0xc0, 0xaf, '"}')],
  ['an overlong NUL', bytes('{"notes":"', 0xc0, 0x80, '"}')],
  ['a surrogate as UTF-8', bytes('{"notes":"', 0xed, 0xa0, 0x80, '"}')],
  ['beyond Unicode', bytes('{"notes":"', 0xf4, 0x90, 0x80, 0x80, '"}')],
  ['invalid UTF-8 in a key', bytes('{"', 0xff, '":1}')],
  ['Latin-1', Buffer.from('{"notes":"Müller"}', 'latin1')],
  ['UTF-16', Buffer.from('{"first_name":"x"}', 'utf16le')],
  ['form data', 'first_name=x&last_name=y'],
  ['XML', '<student/>'],
]
