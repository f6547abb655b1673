import { commandActor } from '../booking/command-actor.ts'
import { type Erasure, eraseStudent } from '../booking/erase-student.ts'
import { isUuid } from '../contract/formats.ts'
import { CommandFailure, type DataCommand, textOf, UsageError } from './command.ts'
import { requireTenant } from './of-tenant.ts'

const REASONS: Readonly<Record<Exclude<Erasure, 'erased'>, (id: string) => string>> = {
  unknown: (id) => `The school has no student ${id}.`,
  not_deleted: (id) =>
    `The student ${id} is not deleted. Delete the student first, in the app or the API: that cancels the coming lessons.`,
  erased_before: (id) => `The student ${id} has been erased before. Nothing is left to erase.`,
}

/** Erases what identifies a deleted student. The worked minutes stay: they are the instructor's evidence. */
export const studentErase: DataCommand = {
  kind: 'data',
  name: 'student erase',
  asOwner: true,
  summary: 'Erase the personal data of a deleted student for good; the lessons stay, without the student.',
  options: {
    tenant: { type: 'string', value: 'ID', help: "The school's id", required: true },
    id: { type: 'string', value: 'ID', help: "The deleted student's id", required: true },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  run: async ({ db, values, terminal }) => {
    const id = textOf(values, 'id').toLowerCase()
    if (!isUuid(id)) throw new UsageError("--id must be a student's id")
    const tenant = await requireTenant(db, values)
    const erasure = await eraseStudent(db, commandActor('student erase', tenant, new Date()), id)
    if (erasure !== 'erased') throw new CommandFailure(REASONS[erasure](id))
    terminal.out(values.json ? JSON.stringify({ id }) : `Erased the student ${id}.`)
  },
}
