import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TITLE_LENGTH } from '../../domain/ranges.ts'
import { Button } from '../ui/button.tsx'
import { LocationField } from '../ui/dialogs/location-field.tsx'
import { NotesField, TextField } from '../ui/dialogs/text-fields.tsx'
import { useSchool } from '../ui/school.tsx'
import type { LessonForm } from './form.ts'
import css from './lesson-fields.module.css'

type RareFieldsProps = {
  readonly form: LessonForm
  readonly onChange: (change: Partial<LessonForm>) => void
}

type Rare = 'title' | 'location_id' | 'pickup_place'

/** The notes, and the fields that few lessons need: title, branch and pick-up place, each behind a button until it is filled in. */
export function RareFields({ form, onChange }: RareFieldsProps) {
  const { lessonType, locations } = useSchool()
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  // A field that is emptied by hand stays.
  const [kept, setKept] = useState<readonly Rare[]>([])
  const usualTitle = lessonType.get(form.lesson_type_id)?.name ?? ''
  const change = (field: Rare) => (value: string | null) => {
    if (!kept.includes(field)) setKept([...kept, field])
    onChange({ [field]: value })
  }
  const filled: Readonly<Record<Rare, boolean>> = {
    title: form.title !== '' && form.title !== usualTitle,
    location_id: form.location_id !== null,
    pickup_place: form.pickup_place !== '',
  }
  const isShown = (field: Rare) => isOpen || filled[field] || kept.includes(field)
  const hidden: readonly (string | false)[] = [
    !isShown('title') && t('field.title'),
    !isShown('location_id') && locations.length > 0 && t('location.one'),
    !isShown('pickup_place') && t('field.pickup_place'),
  ]
  const names = hidden.filter((name) => name !== false)
  return (
    <>
      <Opened isOpen={isOpen}>
        {isShown('title') && (
          <TextField
            label={t('field.title')}
            placeholder={usualTitle}
            value={form.title}
            maxLength={TITLE_LENGTH.max}
            onChange={change('title')}
          />
        )}
        {isShown('location_id') && (
          <LocationField value={form.location_id} onChange={change('location_id')} />
        )}
        {isShown('pickup_place') && (
          <TextField
            label={t('field.pickup_place')}
            value={form.pickup_place}
            maxLength={TITLE_LENGTH.max}
            onChange={change('pickup_place')}
          />
        )}
        <NotesField
          label={t('field.notes')}
          value={form.notes}
          minRows={1}
          onChange={(notes) => onChange({ notes })}
        />
      </Opened>
      {names.length > 0 && (
        <Button look="bare" icon="plus" className={css.more} onClick={() => setOpen(true)}>
          {t('lessonForm.more', { fields: names.join(', ') })}
        </Button>
      )}
    </>
  )
}

/** Lays the fields out, two in a row, and focuses the first empty one once the others are shown. */
function Opened({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const fields = box.current?.querySelectorAll<HTMLInputElement>('input')
    Array.from(fields ?? [])
      .find(({ value }) => value === '')
      ?.focus()
  }, [isOpen])
  return (
    <div ref={box} className={css.rare}>
      {children}
    </div>
  )
}
