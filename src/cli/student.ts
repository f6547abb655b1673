import { commandActor } from '../booking/command-actor.ts'
import { type ErasureOutcome, type ErasureResult, eraseStudent } from '../booking/students/erase-student.ts'
import { isUuid } from '../contract/formats.ts'
import { CommandFailure, type DataCommand, requiredOption, UsageError } from './command.ts'
import { requireTenantOption } from './tenant-option.ts'

const REASONS: Readonly<
  Record<
    Exclude<ErasureOutcome, 'erased' | 'restricted'>,
    (id: string, texts: ErasureResult['texts']) => string
  >
> = {
  unknown: (id) => `The school has no student ${id}.`,
  on_hold: (id) => `The student ${id} is on hold. End the hold first, in the app or the API.`,
  not_due: (id) => `The time of the student ${id} is not over.`,
  not_deleted: (id) =>
    `The student ${id} is not deleted. Delete the student first, in the app or the API: that cancels the upcoming lessons.`,
  erased_before: (id) => `The student ${id} was already erased. Nothing is left to erase.`,
  not_agreed: (_, texts) =>
    `Nothing has been erased. Texts about others have this student's name, e-mail address or phone number, which would become "…" in them:\n${listed(texts)}\nCheck that each means this student, then repeat the command with --yes.`,
}

const LONGEST_TEXT = 300

function listed(texts: ErasureResult['texts']): string {
  return texts
    .map(({ resource, resource_id, field, text }) => {
      const short =
        text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} [${text.length} characters]` : text
      return `  ${resource} ${resource_id}, ${field}: ${JSON.stringify(short)}`
    })
    .join('\n')
}

/** Erases a deleted student's personal data. Worked minutes stay as the instructor's evidence. */
export const studentErase: DataCommand = {
  kind: 'data',
  name: 'student erase',
  asOwner: true,
  summary:
    'Erase the personal data of a deleted student for good; the lessons stay, and the training record while the law wants it kept.',
  options: {
    tenant: { type: 'string', value: 'ID', help: "The school's id", required: true },
    id: { type: 'string', value: 'ID', help: "The deleted student's id", required: true },
    yes: { type: 'boolean', help: 'Also change texts about others that mention the student' },
    'despite-retention': {
      type: 'string',
      value: 'REASON',
      help: 'Also erase a training record that the law wants kept',
    },
    json: { type: 'boolean', help: 'Print JSON' },
  },
  run: async ({ db, values, terminal }) => {
    const id = requiredOption(values, 'id').toLowerCase()
    if (!isUuid(id)) throw new UsageError("--id must be a student's id")
    const tenant = await requireTenantOption(db, values)
    const actor = commandActor('student erase', tenant, new Date())
    const isDespite = values['despite-retention'] !== undefined
    if (isDespite && requiredOption(values, 'despite-retention').trim() === '')
      throw new UsageError('--despite-retention needs a reason')
    const { outcome, texts, until } = await eraseStudent(db, actor, id, {
      isAgreed: values.yes === true,
      ...(!isDespite && { reason: actor.name }),
    })
    if (outcome !== 'erased' && outcome !== 'restricted')
      throw new CommandFailure(REASONS[outcome](id, texts))
    if (values.json)
      terminal.out(
        JSON.stringify({
          id,
          ...(outcome === 'restricted' && { until }),
          ...(texts.length > 0 && { texts }),
        }),
      )
    else if (outcome === 'restricted')
      terminal.out(
        `Erased all data of the student ${id} but the training record, which must be kept ${until ? `until ${until}` : 'while an enrolment is open'}. To erase it as well, repeat the command with --despite-retention REASON.`,
      )
    else
      terminal.out(
        `Erased the student ${id}.${texts.length === 0 ? '' : ` These texts were changed:\n${listed(texts)}`}`,
      )
  },
}
