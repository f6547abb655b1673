import { invalidRequest } from '../contract/problem.ts'
import { PASSWORD_BYTES } from '../domain/ranges.ts'

export type UserInputs = { readonly email: string; readonly school: string }

let commonest: Promise<ReadonlySet<string>> | undefined

/**
 * Throws `invalid_request` with the fault `too_common` for an easily guessed password: a common one, only spaces, the user's
 * e-mail address or its local part, or the school's name. Ignores case and outer spaces, and spaces and punctuation within a
 * name. `field` names the field in the fault.
 */
export async function requireUncommon(
  password: string,
  { email, school }: UserInputs,
  field = 'password',
): Promise<void> {
  const reason = personalReason(password, { email, school }) ?? (await commonReason(password))
  if (reason === undefined) return
  const detail = `${field} is too common: it ${reason}.`
  throw invalidRequest([{ pointer: `/${field}`, code: 'too_common', detail }])
}

function personalReason(password: string, { email, school }: UserInputs): string | undefined {
  if (password.trim() === '') return 'has nothing but spaces'
  const letters = lettersOf(password)
  if (letters === '') return undefined
  const [localPart = ''] = email.split('@')
  if ([email, localPart].some((text) => lettersOf(text) === letters)) return "is the user's e-mail address"
  return lettersOf(school) === letters ? "is the school's name" : undefined
}

async function commonReason(password: string): Promise<string | undefined> {
  commonest ??= readCommonest()
  return (await commonest).has(folded(password)) ? 'is among the passwords that are tried first' : undefined
}

async function readCommonest(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const all = dictionary['passwords-common']
  return new Set(all.filter((one) => Buffer.byteLength(one) >= PASSWORD_BYTES.min).map(folded))
}

/** Removes differences that a guess would ignore. Converts to upper case first, because only that expands `ß`. */
function folded(text: string): string {
  return text.normalize('NFKC').trim().toUpperCase().toLowerCase()
}

function lettersOf(text: string): string {
  return folded(text).replace(/[^\p{L}\p{N}]/gu, '')
}
