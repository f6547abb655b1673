import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PositionedEntry, positionsAfterMove } from './list-order.ts'

const entriesAt = (positions: readonly number[]): PositionedEntry[] =>
  positions.map((position) => ({ id: `at ${position}`, position }))

function orderAfter(positions: readonly number[], from: number, to: number): readonly string[] {
  const entries = entriesAt(positions)
  const moved = positionsAfterMove(entries, { id: `at ${from}`, position: from }, to)
  return entries
    .map(({ id, position }) => ({ id, position: moved.get(id) ?? position }))
    .toSorted((a, b) => a.position - b.position)
    .map(({ id }) => id)
}

describe('a move in a list', () => {
  it.each([
    [[0, 1, 2, 3], 0, 1, [1, 0, 2, 3]],
    [[0, 1, 2, 3], 0, 3, [1, 2, 3, 0]],
    [[0, 1, 2, 3], 3, 0, [3, 0, 1, 2]],
    [[0, 1, 2, 3], 2, 2, [0, 1, 2, 3]],
    [[0, 1, 2, 3], 1, 99, [0, 2, 3, 1]],
    [[0, 5, 9], 9, 4, [0, 9, 5]],
    [[0, 5, 9], 0, 5, [5, 0, 9]],
  ])('in %j takes the entry from position %i to %i', (positions, from, to, order) => {
    expect(orderAfter(positions, from, to)).toEqual(order.map((position) => `at ${position}`))
  })

  it('keeps positions unique and the order of the other entries unchanged', () => {
    const position = fc.integer({ min: 0, max: 40 })
    const positions = fc.uniqueArray(position, { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(positions, fc.nat(), position, (taken, pick, to) => {
        const entries = entriesAt(taken)
        const from = taken[pick % taken.length] ?? 0
        const id = `at ${from}`
        const moved = positionsAfterMove(entries, { id, position: from }, to)
        const after = entries.map((one) => moved.get(one.id) ?? one.position)
        expect(new Set(after).size).toBe(taken.length)
        expect(moved.get(id) ?? from).toBe(to)
        const others = (order: readonly string[]) => order.filter((one) => one !== id)
        expect(others(orderAfter(taken, from, to))).toEqual(others(orderAfter(taken, from, from)))
      }),
    )
  })
})
