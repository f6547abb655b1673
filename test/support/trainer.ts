import type { School } from './factory.ts'

/** An instructor who gives one lesson after another to students of one license class. */
export class Trainer {
  readonly template: string
  readonly instructor: string
  readonly #school: School
  #hour = 0

  constructor(school: School, template: string, instructor: string) {
    this.template = template
    this.instructor = instructor
    this.#school = school
  }

  /** Makes a student for the class of the template, unless the fields name another. Returns the id. */
  async learner(fields: object = {}): Promise<string> {
    return (await this.#school.student({ license_class_template_id: this.template, ...fields })).id
  }

  /** Books a lesson with the student, or with nobody, after the previous one. Returns the id. */
  async drive(
    student_id: string | null,
    code: string,
    minutes: number,
    status = 'completed',
  ): Promise<string> {
    this.#hour += 1
    const at = (minute: number) =>
      new Date(Date.UTC(2026, 0, 1, this.#hour * 6, minute)).toISOString().slice(0, 16).replace('T', ' ')
    const times = { start_at: at(0), end_at: at(minutes) }
    const lesson_type_id = this.#school.lessonTypes[code]
    const people = { instructor_id: this.instructor, student_id }
    return (await this.#school.lesson({ ...people, lesson_type_id, status, ...times })).id
  }
}

/** Makes a trainer for class B who has not taught yet. */
export async function aTrainer(school: School): Promise<Trainer> {
  return new Trainer(school, await templateOf(school, 'B'), (await school.instructor()).id)
}

/** Returns the id of the school's template for a class. */
export async function templateOf({ client }: School, code: string): Promise<string> {
  const templates = (await client.get('/license-class-templates')).body
  return templates.find((one: { code: string }) => one.code === code).id
}
