import type { Steps } from '../../domain/steps.ts'

const ITEMS_A_STEP = 50

/** Builds the JSON text of an object whose lists may be long. */
export function* jsonInSteps(object: Readonly<Record<string, unknown>>): Steps<string> {
  const members: string[] = []
  for (const [name, value] of Object.entries(object)) {
    const json = Array.isArray(value) ? yield* listInSteps(value) : JSON.stringify(value)
    members.push(`${JSON.stringify(name)}:${json}`)
  }
  return `{${members.join()}}`
}

function* listInSteps(items: readonly unknown[]): Steps<string> {
  const parts: string[] = []
  for (let at = 0; at < items.length; at += ITEMS_A_STEP) {
    parts.push(JSON.stringify(items.slice(at, at + ITEMS_A_STEP)).slice(1, -1))
    yield
  }
  return `[${parts.join()}]`
}
