import type { Answer } from './client.ts'

export type SetCookie = { readonly value: string; readonly attributes: readonly string[] }

/** The cookies that an answer sets, by name, with their attributes in alphabetical order. Throws if one is set twice. */
export function cookiesOf(answer: Answer): Readonly<Record<string, SetCookie>> {
  const cookies: Record<string, SetCookie> = {}
  for (const line of answer.headers.getSetCookie()) {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const name = pair.slice(0, pair.indexOf('='))
    if (cookies[name]) throw new Error(`${name} is set twice`)
    cookies[name] = { value: pair.slice(name.length + 1), attributes: attributes.sort() }
  }
  return cookies
}
