import { expect } from 'vitest'
import type { TestService } from './app.ts'
import type { Answer, Client } from './client.ts'
import type { Row, School } from './factory.ts'
import { aSeriesOffice, type SeriesOffice } from './series-office.ts'

export const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

/** Returns the id of the set of changes that a request made. */
export const setOf = ({ headers }: Answer) => headers.get('x-request-id') ?? ''

/** Returns the response, which must be a success. */
export async function doneBy(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer
  expect(status, text).toBeLessThan(300)
  return answer
}

/** Expects that an undo has undone these ids and refused the others for these reasons. */
export function took(
  answer: Answer,
  undone: readonly string[],
  refused: Readonly<Record<string, string>> = {},
): void {
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.undone.toSorted()).toEqual(undone.toSorted())
  const reasons = answer.body.refused.map((one: Row) => [one.resource_id, one.code])
  expect(Object.fromEntries(reasons)).toEqual(refused)
}

/** An office that undoes its own changes. */
export class UndoOffice {
  readonly office: SeriesOffice

  constructor(office: SeriesOffice) {
    this.office = office
  }

  get school(): School {
    return this.office.school
  }

  /** Requests the undo of a request's changes. */
  readonly undo = (answer: Answer, client: Client = this.school.client): Promise<Answer> =>
    client.post(`/changes/sets/${setOf(answer)}/undo`)

  /** Books a lesson of 45 minutes on a Thursday. */
  readonly lessonAt = (hour: string, fields: object = {}): Promise<Row> =>
    this.school.lesson({
      instructor_id: this.office.instructor,
      student_id: this.office.student,
      start_at: `2099-03-05 ${hour}:00`,
      end_at: `2099-03-05 ${hour}:45`,
      ...fields,
    })

  readonly lesson = (id: string): Promise<Answer> => this.school.client.get(`/appointments/${id}`)

  /** Returns the statuses of all lessons. */
  readonly statuses = async (): Promise<readonly unknown[]> =>
    (await this.office.all()).map(({ status }: Row) => status)
}

/** Makes an office with a new school. */
export async function anUndoOffice(service: TestService): Promise<UndoOffice> {
  return new UndoOffice(await aSeriesOffice(service))
}
