import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { isUuid } from '../contract/formats.ts'
import { newId } from '../contract/new-id.ts'
import type { VerificationMethod } from '../domain/student-actions.ts'

/** The seconds for which a verification is valid, and in which a mailed code must be entered. */
export const VERIFICATION_SECONDS = 15 * 60
export const CODE_SECONDS = 15 * 60

const CODES = 1_000_000

export type LinkVerification = { readonly link_id: string; readonly method: VerificationMethod }

export type SentCode = { readonly code: string; readonly challenge: string }

type Addressed = { readonly link_id: string; readonly email: string }

/** Seals verifications and mailed codes with a key derived from JWT_SECRET, so that they need not be stored. */
export class StudentVerifications {
  readonly #key: Buffer

  constructor(jwtSecret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', jwtSecret, '', 'fahrplan student proof', 32))
  }

  /** Returns the value of the cookie for a verified link. */
  seal({ link_id, method }: LinkVerification, now: Date): string {
    const until = secondsAt(now) + VERIFICATION_SECONDS
    return `${until}.${this.#mac('proved', link_id, method, until).toString('base64url')}`
  }

  /** Whether a cookie is of the link and has not expired. */
  verifies(value: string, { link_id, method }: LinkVerification, now: Date): boolean {
    const [until = '', mac = ''] = value.split('.')
    if (!(Number(until) > secondsAt(now))) return false
    return isSame(Buffer.from(mac, 'base64url'), this.#mac('proved', link_id, method, until))
  }

  codeFor(to: Addressed, now: Date): SentCode {
    const [id, until] = [newId(), secondsAt(now) + CODE_SECONDS]
    return { code: this.#codeOf(to, id, until), challenge: `${id}.${until}` }
  }

  /** Returns the id of the challenge, which may be used once; undefined if the code is wrong or has expired. */
  idOfCode(to: Addressed, { code, challenge }: SentCode, now: Date): string | undefined {
    const [id = '', until = ''] = challenge.split('.')
    const isInTime = isUuid(id) && Number(until) > secondsAt(now)
    return isSameText(code, this.#codeOf(to, id, until)) && isInTime ? id : undefined
  }

  #codeOf({ link_id, email }: Addressed, id: string, until: number | string): string {
    const number = this.#mac('code', link_id, email, id, until).readUIntBE(0, 6) % CODES
    return String(number).padStart(6, '0')
  }

  #mac(...parts: readonly (string | number)[]): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify(parts.map(String)))
      .digest()
  }
}

/** Compares two texts in constant time. */
export function isSameText(one: string, other: string): boolean {
  return isSame(digest(one), digest(other))
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function secondsAt(now: Date): number {
  return Math.floor(now.getTime() / 1000)
}
