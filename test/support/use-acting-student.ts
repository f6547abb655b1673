import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { TestService } from './app.ts'
import { CancellationOffice, NOW, step } from './cancellation-office.ts'
import type { Row } from './factory.ts'
import { StudentBrowser } from './student-browser.ts'

export const BIRTH = { birth_date: '2008-04-12' }

/** A school that lets its student confirm and cancel lessons, with a new lesson on Wednesday for each test. */
export class ActingStudent {
  readonly office: CancellationOffice
  readonly #service: TestService
  lesson: Row

  constructor(service: TestService, office: CancellationOffice, lesson: Row) {
    this.#service = service
    this.office = office
    this.lesson = lesson
  }

  async allow(student_actions: object): Promise<void> {
    const { status, text } = await this.office.school.client.patch('/tenant', { student_actions })
    expect(status, text).toBe(200)
  }

  async allowMoves(students_may_move: boolean): Promise<void> {
    const { status, text } = await this.office.school.client.patch('/tenant', { students_may_move })
    expect(status, text).toBe(200)
  }

  opened(student: Row = this.office.student): Promise<StudentBrowser> {
    return StudentBrowser.open(this.#service, this.office.school, student)
  }

  /** Opens a browser and passes the verification at a time at which the office's session may have expired. */
  async verified(at = NOW.toISOString()): Promise<StudentBrowser> {
    const browser = await this.opened()
    this.#service.setClock(new Date(at))
    expect((await browser.submit(this.lesson.id, 'prove', BIRTH)).status).toBe(303)
    return browser
  }

  /** Returns the lesson as the office sees it. */
  stored() {
    return this.office.read(this.lesson.id)
  }
}

export function useActingStudent(service: () => TestService): () => ActingStudent {
  let acting: ActingStudent | undefined
  beforeAll(async () => {
    const office = await CancellationOffice.open(service())
    await office.school.client.patch(`/students/${office.student.id}`, BIRTH)
    acting = new ActingStudent(service(), office, await office.lessonAt())
  })
  afterAll(() => service().setClock(undefined))
  beforeEach(async () => {
    service().setClock(NOW)
    const one = started(acting)
    const { client } = one.office.school
    await one.allow({ confirm: true, cancel: true, wish: false, proof: 'birth_date' })
    await one.allowMoves(false)
    await one.office.policy(step({ hours: 24 }))
    for (const { id } of (await client.get('/appointments')).body) await client.delete(`/appointments/${id}`)
    one.lesson = await one.office.lessonAt()
  })
  return () => started(acting)
}

function started(acting: ActingStudent | undefined): ActingStudent {
  if (!acting) throw new Error('the school is not open yet')
  return acting
}
