import { inflateSync } from 'node:zlib'

/** Returns the texts of each page of a PDF as a reader would copy them, in the order in which they were drawn. */
export function pagesOfPdf(pdf: Buffer): readonly (readonly string[])[] {
  const objects = new Map(
    Array.from(
      pdf.toString('latin1').matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g),
      ([, id = '', body = '']) => [id, body],
    ),
  )
  const dictionary = (id: string | undefined) => objects.get(id ?? '') ?? ''
  const referred = (body: string, name: string) => new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1]
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\n/.test(body))
  return pages.map((page) => {
    const resources = dictionary(referred(page, 'Resources'))
    const fonts = new Map(
      Array.from(resources.matchAll(/\/(F\d+) (\d+) 0 R/g), ([, name = '', id]) => [
        name,
        lettersOf(streamOf(dictionary(referred(dictionary(id), 'ToUnicode')))),
      ]),
    )
    return textsIn(streamOf(dictionary(referred(page, 'Contents'))), fonts)
  })
}

function streamOf(body: string): string {
  const bytes = Buffer.from(/stream\n([\s\S]*?)\nendstream/.exec(body)?.[1] ?? '', 'latin1')
  return body.includes('/FlateDecode') ? inflateSync(bytes).toString('latin1') : bytes.toString('latin1')
}

/** Returns the letters of a font by glyph, from its map to Unicode. */
function lettersOf(map: string): ReadonlyMap<number, string> {
  const letters = new Map<number, string>()
  for (const [, first = '', list = ''] of map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g))
    for (const [at, [, hex = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const units = hex.replaceAll(' ', '').match(/.{4}/g) ?? []
      letters.set(
        Number.parseInt(first, 16) + at,
        String.fromCharCode(...units.map((one) => Number.parseInt(one, 16))),
      )
    }
  return letters
}

function textsIn(
  content: string,
  fonts: ReadonlyMap<string, ReadonlyMap<number, string>>,
): readonly string[] {
  const texts: string[] = []
  let letters: ReadonlyMap<number, string> = new Map()
  for (const [, font, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)) {
    if (font) letters = fonts.get(font) ?? letters
    if (shown === undefined) continue
    const glyphs =
      Array.from(shown.matchAll(/<([0-9a-f]*)>/g), ([, hex]) => hex)
        .join('')
        .match(/.{4}/g) ?? []
    texts.push(glyphs.map((one) => letters.get(Number.parseInt(one, 16)) ?? '?').join(''))
  }
  return texts
}
