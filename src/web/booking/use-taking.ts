import { useEffect, useState } from 'react'
import { slotIdOf } from '../slots/offered.ts'
import type { SearchCriteria } from '../slots/search-criteria.ts'
import type { SlotResults } from '../slots/use-slots.ts'
import { useSchool } from '../ui/school.tsx'
import { type LessonForm, withPlace, withVehicles } from './form.ts'

type Form = {
  readonly form: LessonForm
  readonly fill: (form: LessonForm) => void
  readonly save: (form: LessonForm) => void
}

type Search = {
  readonly found: SlotResults
  readonly criteria: SearchCriteria
  readonly isFollowing: boolean
  readonly hasDefaults: boolean
}

/** Fills in the first time found, and again if the search changes or that time is no longer free. An early submit waits for it. */
export function useFirstSlot(
  { form, fill, save }: Form,
  { found, criteria, isFollowing, hasDefaults }: Search,
) {
  const school = useSchool()
  const [filledForQuery, setTakenFor] = useState('')
  const [isEager, setEager] = useState(false)
  const first = isFollowing && found.isCurrent ? found.slots?.[0] : undefined
  const isSearching = !hasDefaults || (isFollowing && found.isAsking)
  const question = JSON.stringify([criteria, form.student_id, form.lesson_type_id, form.minutes])
  const isKept = filledForQuery === question && found.isFree(placeIdOf(form))
  const taken = first && !isKept ? withVehicles(form, withPlace(form, first), school) : undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: fills in each found time only once
  useEffect(() => {
    if (taken) {
      fill(taken)
      setTakenFor(question)
    }
    if (!isEager || isSearching) return
    setEager(false)
    if (first || !isFollowing) save(taken ?? form)
  }, [first, question, isEager, isSearching])

  return {
    /** Whether the first time is still being searched. */
    isSearching,
    isEager,
    send: () => (isSearching ? setEager(true) : save(form)),
  }
}

/** Returns the id of the form's time and instructor in a search. */
export function placeIdOf({ instructor_id, date, start }: LessonForm): string {
  return slotIdOf({ instructor_id, start_at: `${date} ${start}` })
}
