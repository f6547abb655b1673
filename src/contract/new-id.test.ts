import { expect, it } from 'vitest'
import { isUuid } from './formats.ts'
import { newId } from './new-id.ts'

it('newId returns version 7 UUIDs in ascending order, with the current time (S62)', () => {
  const begun = Date.now()
  const ids = Array.from({ length: 10_000 }, newId)
  expect(ids.every(isUuid)).toBe(true)
  expect(ids.every((id) => id[14] === '7' && '89ab'.includes(id[19] ?? ''))).toBe(true)
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(ids.map((id) => id.slice(-10))).size).toBeGreaterThan(9_900)
  const made = Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16)
  expect(made).toBeGreaterThanOrEqual(begun)
  expect(made).toBeLessThanOrEqual(Date.now())
})
