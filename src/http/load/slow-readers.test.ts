import { describe, expect, it } from 'vitest'
import { isTooSlow } from './slow-readers.ts'

const READER = 30_000
const KILOBYTE = 1024

/** Whether a reader that took so many kilobytes in so many seconds, the last ones `secondsAgo`, is too slow. */
function tooSlow(kilobytes: number, seconds: number, secondsAgo: number): boolean {
  const now = 1_000_000
  const times = { since: now - seconds * 1000, takenAt: now - secondsAgo * 1000 }
  return isTooSlow({ ...times, before: 500, taken: 500 + kilobytes * KILOBYTE }, now, READER)
}

describe('a reader', () => {
  it.each([
    ['is not too slow after 29.9 seconds without reading', 0, 29.9, 29.9, false],
    ['is too slow after 30 seconds without reading', 0, 30, 30, true],
    ['is too slow after 30 seconds without reading, even if it was fast before', 20_000, 60, 30, true],
    ['is too slow at one kilobyte every ten seconds', 6, 60, 5, true],
    ['is not too slow at one megabyte in 130 seconds', 1024, 130, 1, false],
    ['is not too slow at 26 MB in twenty minutes', 26_000, 1_200, 1, false],
    ['is too slow at one megabyte in four minutes', 1024, 240, 1, true],
  ])('%s', (_, kilobytes, seconds, secondsAgo, expected) => {
    expect(tooSlow(kilobytes, seconds, secondsAgo)).toBe(expected)
  })
})
