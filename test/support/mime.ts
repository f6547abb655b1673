/** A part of a mail that has no parts of its own, decoded. */
export type MimePart = {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
  readonly text: string
}

/** The content type of a part, with those of its parts. */
export type MimeShape = string | readonly [type: string, ...MimeShape[]]

type Head = { readonly headers: ReadonlyMap<string, string>; readonly body: string }

function split(source: string): Head {
  const end = source.indexOf('\r\n\r\n')
  const [head, body] = [source.slice(0, end), source.slice(end + 4)]
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const pairs = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return { headers: new Map(pairs as [string, string][]), body }
}

function contentType({ headers }: Head) {
  const [type = '', ...rest] = (headers.get('content-type') ?? 'text/plain').split(/;\s*/)
  const parameters = rest.map((one) => {
    const [name = '', value = ''] = one.split(/=(.*)/s)
    return [name.toLowerCase(), value.replace(/^"|"$/g, '')]
  })
  return { type, parameters: Object.fromEntries(parameters) as Record<string, string> }
}

function childrenOf(head: Head): readonly string[] {
  const { type, parameters } = contentType(head)
  if (!type.startsWith('multipart/')) return []
  const parts = `\r\n${head.body}`.split(`\r\n--${parameters.boundary}`)
  return parts.slice(1, -1).map((part) => part.replace(/^\r\n/, ''))
}

/** Returns the parts of a mail by its raw source, without the multiparts around them. */
export function mimeParts(source: string): readonly MimePart[] {
  const head = split(source)
  const children = childrenOf(head)
  if (children.length > 0) return children.flatMap(mimeParts)
  return [{ ...contentType(head), text: decoded(head) }]
}

function decoded({ headers, body }: Head): string {
  const encoding = headers.get('content-transfer-encoding')
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const octets = body
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(octets, 'latin1').toString('utf8')
}

export function shapeOf(source: string): MimeShape {
  const head = split(source)
  const children = childrenOf(head)
  const { type } = contentType(head)
  return children.length === 0 ? type : [type, ...children.map(shapeOf)]
}
