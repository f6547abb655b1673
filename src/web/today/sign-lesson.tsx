import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { lessonDigestOf, lessonDocumentFor } from '../../domain/signatures.ts'
import { APPOINTMENTS } from '../data/appointments.ts'
import { type DueSignature, type GivenSignature, idOfDue, signaturesOfLesson } from '../data/signatures.ts'
import { lessonFacts, signersOf } from '../signing/lesson-facts.ts'
import { SignDialog } from '../signing/sign-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import { nameOf, studentName, useSchool } from '../ui/school.tsx'
import { useDueItems } from './due-items.ts'
import { DueList } from './due-list.tsx'
import { recordSignatures, useOutbox } from './outbox.ts'
import { signedIdOf } from './outbox-entry.ts'
import css from './outcome-buttons.module.css'

type SignLessonProps = {
  readonly lesson: Appointment
  /** Whether the instructor can sign here, too. */
  readonly isLarge: boolean
}

/** Lets the students of a completed lesson sign it on the instructor's device, one after another, and the instructor. */
export function SignLesson({ lesson, isLarge }: SignLessonProps) {
  const { user, student } = useSchool()
  const signers = signersOf(lesson).filter((id) => student.has(id))
  const isSignable = signers.length > 0
  const { data: signatures = [] } = useQuery({ ...signaturesOfLesson(lesson.id), enabled: isSignable })
  const entries = useOutbox().filter(({ refused }) => !refused)
  if (!isSignable) return null
  const kept = entries.flatMap((entry) =>
    (entry.signatures ?? []).filter((one) => signedIdOf(entry, one) === lesson.id),
  )
  const signing = (as: SigningProps['as']) => {
    const isKept = (id: string) => kept.some(({ body }) => body.as === as && body.student_id === id)
    const isSigned = (id: string) =>
      signatures.some((one) => one.as === as && one.student_id === id && one.state === 'valid')
    const missing = signers.filter((id) => !isKept(id) && !isSigned(id))
    return <Signing {...{ as, lesson, missing }} isKept={signers.some(isKept)} />
  }
  return (
    <>
      {signing('student')}
      {isLarge && user.instructor_id === lesson.instructor_id && signing('instructor')}
    </>
  )
}

type SigningProps = {
  readonly as: 'student' | 'instructor'
  readonly lesson: Appointment
  /** The students for whom it is not signed. */
  readonly missing: readonly string[]
  readonly isKept: boolean
}

function Signing({ as, lesson, missing, isKept }: SigningProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [only, ...others] = as === 'student' ? missing : []
  const due = useDueItems(signerOf(lesson, others.length === 0 ? only : undefined), false)
  const by = as === 'student' && lesson.student_id === null ? 'students' : as
  if (missing.length === 0)
    return (
      <p className={`${css.noted} ${css.sign}`} data-status="completed">
        <Icon name="check" /> {isKept ? t('sign.kept') : t(`sign.signed.${by}`)}
      </p>
    )
  return (
    <>
      <Button className={`${css.button} ${css.sign}`} icon="edit" onClick={() => setOpen(true)}>
        {due.length > 0
          ? t('sign.sign.all', { count: due.length + 1 })
          : t(`sign.sign.${by}`, { count: missing.length })}
      </Button>
      {isOpen && <Signatures {...{ as, lesson, missing }} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The texts that a student saw when the dialog was touched. */
type ShownItems = { readonly student_id: string; readonly items: readonly DueSignature[] }

type SignaturesProps = Omit<SigningProps, 'isKept'> & { readonly onClose: () => void }

/** The dialog to sign; for several students, that of the next follows. The instructor signs for all of them at once. */
function Signatures({ as, lesson, missing, onClose }: SignaturesProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const client = useQueryClient()
  const [chosen, setChosen] = useState<string>()
  const [signed, setSigned] = useState<readonly string[]>([])
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set())
  const named = missing.flatMap((id) => school.student.get(id) ?? [])
  const left = named
    .filter(({ id }) => !signed.includes(id))
    .toSorted((a, b) => school.format.compare(nameOf(a), nameOf(b)))
  const next = left.find(({ id }) => id === chosen) ?? left[0]
  const present = useDueItems(signerOf(lesson, as === 'student' ? next?.id : undefined), true)
  const [shown, setShown] = useState<ShownItems>()
  if (!next) return null
  const due = shown?.student_id === next.id ? shown.items : present
  const signers = as === 'student' ? [next] : left
  const documents = signers.flatMap(({ id }) => lessonDocumentFor(lesson, id, school.tenant.timezone) ?? [])
  const person = as === 'student' ? next : school.instructor.get(lesson.instructor_id)
  const sign = async (given: GivenSignature) => {
    if (left.length === signers.length) onClose()
    setSigned([...signed, ...signers.map(({ id }) => id)])
    const signatures = documents.map(async (document) => {
      const body = { as, digest: await lessonDigestOf(document), student_id: document.student_id, ...given }
      return { key: crypto.randomUUID(), body }
    })
    const seen = APPOINTMENTS.read(client, lesson.id) ?? lesson
    const others = due
      .filter((item) => !leftOut.has(idOfDue(item)))
      .map(async (item) => {
        const body = { as, digest: await digestOf(item), student_id: next.id, ...given }
        return { key: crypto.randomUUID(), body, due: item }
      })
    await recordSignatures(seen, await Promise.all([...signatures, ...others]))
    await client.invalidateQueries(signaturesOfLesson(lesson.id))
  }
  return (
    <SignDialog
      key={signers[0]?.id}
      title={due.length > 0 ? t('sign.all') : t('sign.lesson')}
      facts={lessonFacts(documents, school, t)}
      name={person ? nameOf(person) : ''}
      onSign={(given) => void sign(given)}
      onClose={onClose}
      onTouch={() => setShown({ student_id: next.id, items: due })}
      more={<DueList items={due} leftOut={leftOut} onChange={setLeftOut} />}
    >
      {as === 'student' && left.length > 1 && (
        <OptionSelect
          label={t('sign.who')}
          value={next.id}
          options={left.map((one) => [one.id, studentName(one, school)])}
          onChange={setChosen}
        />
      )}
    </SignDialog>
  )
}

function signerOf({ id }: Appointment, student_id: string | undefined) {
  return student_id === undefined ? undefined : { lesson_id: id, student_id }
}

/** Returns the digest of the text that was shown. */
async function digestOf(item: DueSignature): Promise<string> {
  if (!('appointment_id' in item)) return item.digest
  const { digest, instructor: _, ...document } = item
  return digest ?? lessonDigestOf(document)
}
