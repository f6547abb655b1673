import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { NamedAddress, UnsubscribingRecipient } from '../domain/student-contacts.ts'
import { idAtStartOf, textOfId } from './link-token.ts'

/** Makes and checks the secrets by which a recipient, or their mail program, ends messages. Nothing of them is stored. */
export class UnsubscribeTokens {
  readonly #key: Buffer

  constructor(jwtSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan unsubscribe link', 32))
  }

  /** Returns the ids of school and student, each in 22 characters, the mark of a contact, and their MAC. */
  tokenFor({ contact, ...student }: UnsubscribingRecipient): string {
    return this.#sealed(student, contact ? this.markOf(contact) : '')
  }

  /** Returns 22 characters by which a token tells one contact of a student from the others. */
  markOf({ name, email }: NamedAddress): string {
    return this.#macOf(`contact ${name}\n${email}`).slice(0, ID_LENGTH)
  }

  /** Returns the student of a token, and the mark of a contact or none; undefined if it is not valid. */
  read(
    token: string,
  ): (Pick<UnsubscribingRecipient, 'tenantId' | 'student_id'> & { readonly mark: string }) | undefined {
    const [tenantId, student_id] = [idAtStartOf(token), idAtStartOf(token.slice(ID_LENGTH))]
    if (tenantId === undefined || student_id === undefined) return undefined
    const mark = token.slice(2 * ID_LENGTH, -MAC_LENGTH)
    const sealed = this.#sealed({ tenantId, student_id }, mark)
    const [given, wanted] = [token, sealed].map((text) => Buffer.from(text))
    if (!given || !wanted || given.length !== wanted.length) return undefined
    return timingSafeEqual(given, wanted) ? { tenantId, student_id, mark } : undefined
  }

  #sealed(
    { tenantId, student_id }: Pick<UnsubscribingRecipient, 'tenantId' | 'student_id'>,
    mark: string,
  ): string {
    const ids = textOfId(tenantId) + textOfId(student_id) + mark
    return ids + this.#macOf(ids)
  }

  #macOf(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }
}

const ID_LENGTH = 22
const MAC_LENGTH = 43
