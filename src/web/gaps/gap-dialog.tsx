import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Candidate, NewOffer } from '../../contract/offer.ts'
import { minutesLater } from '../../domain/local-time.ts'
import { candidatesFor, type FreeTime, makeOffers, offersOfSchool } from '../data/gaps.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { ContactLinks } from '../ui/contact-links.tsx'
import { FormDialog } from '../ui/dialogs/form-dialog.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { nameOf, studentName, useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import css from './gap-dialog.module.css'
import { OfferLinks } from './offer-links.tsx'
import { reasonText } from './reason-text.ts'

type GapDialogProps = { readonly gap: FreeTime; readonly onClose: () => void }

/** Lists the students who could have an instructor's free time, and offers it to those selected. */
export default function GapDialog({ gap, onClose }: GapDialogProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { data: candidates, error, isError, refetch } = useQuery(candidatesFor(gap))
  const { data: offers = [] } = useQuery(offersOfSchool)
  const offer = useMutation({
    mutationFn: makeOffers,
    onSuccess: (_, sent) => {
      const offered = new Set(sent.flatMap(({ student_ids }) => student_ids))
      setChosen((now) => new Set([...now].filter((id) => !offered.has(id))))
    },
  })
  const instructor = school.instructor.get(gap.instructor_id)
  const ofTime = offers.filter(
    (one) => one.instructor_id === gap.instructor_id && one.start_at === gap.start_at,
  )
  const asked = new Set(
    ofTime.flatMap(({ state, links }) => (state === 'open' ? links.map(({ student_id }) => student_id) : [])),
  )
  const offerable = candidates?.filter(({ student_id }) => !asked.has(student_id)) ?? []
  const wanted = offerable.filter(({ student_id }) => chosen.has(student_id))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <FormDialog
      title={t('gap.title')}
      submit={t('gap.offer', { count: wanted.length })}
      size="lg"
      isBusy={offer.isPending}
      isBlocked={wanted.length === 0}
      isFilled={wanted.length > 0}
      hasText={false}
      onSubmit={() => offer.mutate(offersOf(gap, wanted))}
      onClose={onClose}
    >
      <p className={css.lesson}>
        {[whenText(gap, school), instructor && nameOf(instructor)].filter(Boolean).join(' · ')}
      </p>
      {ofTime.map((one) => (
        <OfferLinks key={one.id} offer={one} />
      ))}
      <FailureNotice error={offer.error} title={t('booking.notSaved')} />
      {!candidates && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
      {candidates?.length === 0 && <p>{t('gap.nobody')}</p>}
      <ul className={css.list}>
        {offerable.map((one) => (
          <CandidateRow
            key={one.student_id}
            candidate={one}
            isChosen={chosen.has(one.student_id)}
            onToggle={() => toggle(one.student_id)}
          />
        ))}
      </ul>
    </FormDialog>
  )
}

/** Returns an offer for each type and length of wished lesson. The first student to accept one closes the others. */
function offersOf({ instructor_id, start_at }: FreeTime, wanted: readonly Candidate[]): readonly NewOffer[] {
  const groups = Map.groupBy(wanted, ({ lesson_type_id, minutes }) => `${lesson_type_id} ${minutes}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { lesson_type_id, minutes } = first
    const student_ids = group.map(({ student_id }) => student_id)
    return { instructor_id, start_at, end_at: minutesLater(start_at, minutes), lesson_type_id, student_ids }
  })
}

type CandidateRowProps = {
  readonly candidate: Candidate
  readonly isChosen: boolean
  readonly onToggle: () => void
}

function CandidateRow({ candidate, isChosen, onToggle }: CandidateRowProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const student = school.student.get(candidate.student_id)
  if (!student) return null
  const isOften = candidate.reasons.some(({ code }) => code === 'offered_often')
  const reasons = candidate.reasons.map((one) => reasonText(one, school, t)).filter(Boolean)
  return (
    <li>
      <label>
        <input type="checkbox" checked={isChosen} disabled={isOften} onChange={onToggle} />
        <span>
          {studentName(student, school)}
          <span className={css.reasons}>
            {[t('lesson.minutes', { count: candidate.minutes }), ...reasons].join(' · ')}
          </span>
        </span>
      </label>
      <ContactLinks phone={student.phone} phone_2={student.phone_2} email={null} />
    </li>
  )
}
