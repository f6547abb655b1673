import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { idAtStartOf, textOfId } from './link-token.ts'

type Addressed = { readonly tenantId: string; readonly student_id: string }

/** Makes and checks the secrets by which a student, or their mail program, ends messages. Nothing of them is stored. */
export class UnsubscribeTokens {
  readonly #key: Buffer

  constructor(jwtSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan unsubscribe link', 32))
  }

  /** Returns the ids of school and student, each in 22 characters, and their MAC. */
  tokenFor({ tenantId, student_id }: Addressed): string {
    const ids = textOfId(tenantId) + textOfId(student_id)
    return ids + createHmac('sha256', this.#key).update(ids).digest('base64url')
  }

  /** Returns the student of a token; undefined if it is not valid. */
  read(token: string): Addressed | undefined {
    const [tenantId, student_id] = [idAtStartOf(token), idAtStartOf(token.slice(ID_LENGTH))]
    if (tenantId === undefined || student_id === undefined) return undefined
    const [given, wanted] = [token, this.tokenFor({ tenantId, student_id })].map((text) => Buffer.from(text))
    if (!given || !wanted || given.length !== wanted.length) return undefined
    return timingSafeEqual(given, wanted) ? { tenantId, student_id } : undefined
  }
}

const ID_LENGTH = 22
