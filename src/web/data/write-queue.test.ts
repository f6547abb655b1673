import { describe, expect, it, vi } from 'vitest'
import type { Appointment } from '../../contract/appointment.ts'
import * as example from '../../contract/examples.ts'
import { showPendingWrites, withExpected } from './pending-writes.ts'
import { Unreachable } from './send.ts'
import { resetStores } from './store.ts'
import { mergeWrite, queueWrite, Stale } from './write-queue.ts'

// Node has no `localStorage` for the session to read.
vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => null }))

const lesson: Appointment = { ...example.appointment, status: 'planned' }

const answered = (latest: Appointment) => ({ ...latest, version: latest.version + 1 })

describe('queued writes of one lesson', () => {
  it('run one after another, each with the result of the previous one', async () => {
    const first = Promise.withResolvers<void>()
    const seen: number[] = []
    const one = queueWrite(lesson, async (latest) => {
      seen.push(latest.version)
      await first.promise
      return answered(latest)
    })
    const two = queueWrite(lesson, async (latest) => {
      seen.push(latest.version)
      return answered(latest)
    })
    await Promise.resolve()
    expect(seen).toEqual([lesson.version])
    first.resolve()
    await Promise.all([one, two])
    expect(seen).toEqual([lesson.version, lesson.version + 1])
  })

  it('see the unchanged lesson if the previous write was rejected', async () => {
    const one = queueWrite(lesson, () => Promise.reject(new Error('refused')))
    const two = queueWrite(lesson, async (latest) => latest)
    await expect(one).rejects.toThrow('refused')
    expect(await two).toBe(lesson)
  })

  it('start from the given lesson once earlier writes are complete', async () => {
    await queueWrite(lesson, async (latest) => answered(latest))
    // Continuations of the response have run by the next task.
    await new Promise((done) => setTimeout(done))
    const newer = { ...lesson, version: 7 }
    expect(await queueWrite(newer, async (latest) => latest)).toBe(newer)
  })

  it('are not sent for the next user', async () => {
    const first = Promise.withResolvers<Appointment>()
    const one = queueWrite(lesson, () => first.promise)
    const two = queueWrite(lesson, async (latest) => answered(latest))
    await Promise.resolve()
    resetStores()
    first.resolve(lesson)
    await one
    await expect(two).rejects.toThrow(Unreachable)
  })

  it('do not wait for writes of another lesson', async () => {
    const endless = Promise.withResolvers<Appointment>()
    void queueWrite(lesson, () => endless.promise)
    const other = { ...lesson, id: 'other' }
    expect(await queueWrite(other, async (latest) => latest)).toBe(other)
    endless.resolve(lesson)
  })
})

describe('a write with concurrent changes', () => {
  const basis = { fields: ['status'], change: { status: 'completed' } }

  /** Returns a write that is rejected as stale once for each row that another client has stored. */
  const storedWith = (...others: readonly Appointment[]) => {
    const left = [...others]
    const seen: Appointment[] = []
    const write = async (latest: Appointment): Promise<Appointment> => {
      seen.push(latest)
      const current = left.shift()
      if (current) throw new Stale(current)
      return { ...answered(latest), status: 'completed' }
    }
    return { seen, write }
  }

  it('is retried on each newer version of the row', async () => {
    const [first, second] = [
      { ...lesson, notes: 'one', version: 2 },
      { ...lesson, notes: 'two', version: 3 },
    ]
    const { seen, write } = storedWith(first, second)
    expect(await mergeWrite(lesson, basis, write)).toEqual({
      ...second,
      status: 'completed',
      version: 4,
    })
    expect(seen).toEqual([lesson, first, second])
  })

  it('fails as stale if the same field has been changed', async () => {
    const cancelled: Appointment = { ...lesson, status: 'cancelled', version: 2 }
    const { write } = storedWith(cancelled)
    await expect(mergeWrite(lesson, basis, write)).rejects.toMatchObject({ current: cancelled })
  })

  it('is retried if another write has set a field to the same value', async () => {
    const theirs: Appointment = { ...lesson, status: 'completed', version: 2 }
    const { seen, write } = storedWith(theirs)
    const both = { fields: ['status', 'notes'], change: { status: 'completed', notes: 'Parking' } }
    await mergeWrite(lesson, both, write)
    expect(seen).toEqual([lesson, theirs])
  })

  it('is retried if an earlier attempt has set a field, but not if that field has been changed since', async () => {
    const [attempted, theirs] = (['completed', 'cancelled'] as const).map(
      (status): Appointment => ({ ...lesson, status, version: 2 }),
    ) as [Appointment, Appointment]
    const again = { fields: ['status'], change: { status: 'no_show' }, tried: [{ status: 'completed' }] }
    const { seen, write } = storedWith(attempted)
    await mergeWrite(lesson, again, write)
    expect(seen).toEqual([lesson, attempted])
    await expect(mergeWrite(lesson, again, storedWith(theirs).write)).rejects.toMatchObject({
      current: theirs,
    })
  })

  it('fails as stale if another write has cleared a field that the change depends on', async () => {
    const theirs: Appointment = { ...lesson, student_id: null, version: 2 }
    const { write } = storedWith(theirs)
    const both = { fields: ['status', 'student_id'], change: { status: 'completed' } }
    await expect(mergeWrite(lesson, both, write)).rejects.toMatchObject({ current: theirs })
  })

  it('returns the row if it already has the new values, in any order of their keys', async () => {
    const result = { note: 'Parking', passed: false }
    const stored: Appointment = { ...lesson, exam_result: result, version: 2 }
    const change = { exam_result: { passed: false, note: 'Parking' } }
    const { write } = storedWith(stored)
    expect(await mergeWrite(lesson, { fields: ['exam_result'], change }, write)).toBe(stored)
  })

  it('returns the row if it already has the new values', async () => {
    const stored: Appointment = { ...lesson, status: 'completed', version: 2 }
    const { write } = storedWith(stored)
    expect(await mergeWrite(lesson, basis, write)).toBe(stored)
  })
})

describe('pending writes', () => {
  it('are applied in order until they end, only to their own rows', () => {
    const other = { ...lesson, id: 'other' }
    const ends = [
      showPendingWrites([{ id: lesson.id, change: { notes: 'one', title: 'one' } }]),
      showPendingWrites([
        { id: lesson.id, change: { notes: 'two' } },
        { id: other.id, change: 'deleted' },
      ]),
    ]
    expect(withExpected([lesson, other])).toEqual([{ ...lesson, notes: 'two', title: 'one' }])
    ends[1]?.()
    expect(withExpected([lesson, other])).toEqual([{ ...lesson, notes: 'one', title: 'one' }, other])
    ends[0]?.()
    expect(withExpected([lesson, other])).toEqual([lesson, other])
  })
})
