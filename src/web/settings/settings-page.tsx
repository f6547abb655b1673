import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HoursFields } from '../people/instructors/hours-fields.tsx'
import { Button } from '../ui/button.tsx'
import { isChanged } from '../ui/changed-fields.ts'
import { Mantine } from '../ui/dialogs/mantine.tsx'
import { SaveNotice } from '../ui/failure-notice.tsx'
import page from '../ui/page.module.css'
import { PageHeading } from '../ui/page-heading.tsx'
import { useSchool } from '../ui/school.tsx'
import { Unsaved, useUnsaved } from '../ui/unsaved.tsx'
import { ActionReaderFields } from './action-reader-fields.tsx'
import { BookingFields } from './booking-fields.tsx'
import { BusyCalendarsField } from './busy-calendars-field.tsx'
import { ChapterList } from './chapter-list.tsx'
import { ChapterPart, ShownChapter } from './chapter-part.tsx'
import { type Chapter, chapterIn, SAVED_TOGETHER } from './chapters.ts'
import { Closures } from './closures.tsx'
import { DefaultFields } from './default-fields.tsx'
import { EnquiryFields } from './enquiry-fields.tsx'
import { HolidayFields } from './holiday-fields.tsx'
import { InstructorsMayField } from './instructors-may-field.tsx'
import { LessonTypes } from './lesson-types.tsx'
import { Locations } from './locations.tsx'
import { MessageFields } from './message-fields.tsx'
import { OfferedClassesField } from './offered-classes-field.tsx'
import { PolicyFields } from './policy-fields.tsx'
import { RecordFields } from './record-fields.tsx'
import { RetentionChapter } from './retention-chapter.tsx'
import { RoundFields } from './round-fields.tsx'
import { SchoolFields } from './school-fields.tsx'
import { SchoolFile } from './school-file.tsx'
import { SecondFactorSetting } from './second-factor-setting.tsx'
import { isWhole, type SettingsForm, settingsFormOf, settingsOf, withNewerInput } from './settings-form.ts'
import css from './settings-page.module.css'
import { SsoSetting } from './sso-setting.tsx'
import { StudentActionFields } from './student-action-fields.tsx'
import { StudentPageFields } from './student-page-fields.tsx'
import { TimeZone } from './time-zone.tsx'
import { useSaveSettings } from './use-save-settings.ts'
import { useShowField } from './use-show-field.ts'
import { Vehicles } from './vehicles.tsx'
import { Webhooks } from './webhooks.tsx'

const FORM = 'settings'

const route = getRouteApi('/settings')

export function SettingsPage() {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const asked = chapterIn(route.useSearch().chapter)
  const chapter = asked ?? 'school'
  const content = useRef<HTMLDivElement>(null)
  const [form, setForm] = useState(() => settingsFormOf(tenant))
  const { save, opened, error, isBusy } = useSaveSettings(tenant, (saved, sent) =>
    setForm((now) => withNewerInput(saved, now, sent)),
  )
  const isUnsaved = isChanged(settingsOf(form), opened) || !isWhole(form)
  useUnsaved(() => isUnsaved)
  const showField = useShowField(content, chapter)
  const showFault = useShowFault(chapter, showField)
  return (
    <Mantine>
      <div className={page.page}>
        <div className={`${page.bar} ${css.bar}`}>
          <PageHeading title={t('nav.settings')} />
          <span className={page.space} />
          {(isUnsaved || SAVED_TOGETHER.has(chapter)) && (
            <Button
              type="submit"
              form={FORM}
              look="primary"
              isBusy={isBusy}
              disabled={!isUnsaved || !isWhole(form)}
            >
              {t('action.save')}
            </Button>
          )}
        </div>
        {/* In a narrow window the list is a page of its own. */}
        <div className={css.body} data-list={asked === undefined || undefined}>
          <ChapterList content={content} shown={chapter} onFound={({ element }) => showField(element)} />
          <div ref={content} className={`${page.scroll} ${css.content}`}>
            <Link to="/settings" className={css.back} activeOptions={{ exact: true }}>
              {t('settings.allChapters')}
            </Link>
            <ShownChapter value={chapter}>
              <form
                id={FORM}
                onInvalidCapture={showFault}
                onSubmit={(event) => {
                  event.preventDefault()
                  save(form)
                }}
              >
                <SaveNotice error={error} stale={t('settings.stale')} />
                <SavedFields form={form} onChange={(change) => setForm({ ...form, ...change })} />
              </form>
              <ChapterPart of="school">
                <SecondFactorSetting />
                <SsoSetting />
                <TimeZone />
                <SchoolFile />
              </ChapterPart>
              <ChapterPart of="days">
                <Closures />
              </ChapterPart>
              <ChapterPart of="lessons">
                <LessonTypes />
              </ChapterPart>
              <ChapterPart of="vehicles">
                <Vehicles />
              </ChapterPart>
              <ChapterPart of="branches">
                <Locations />
              </ChapterPart>
              <ChapterPart of="webhooks">
                <Webhooks />
              </ChapterPart>
              <ChapterPart of="retention">
                <RetentionChapter />
              </ChapterPart>
            </ShownChapter>
          </div>
        </div>
      </div>
      <Unsaved />
    </Mantine>
  )
}

type SavedFieldsProps = {
  readonly form: SettingsForm
  readonly onChange: (change: Partial<SettingsForm>) => void
}

/** The fields that Save stores together. */
function SavedFields({ form, onChange: edit }: SavedFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <ChapterPart of="school">
        <SchoolFields form={form} onChange={edit} />
        <RecordFields form={form} onChange={edit} />
      </ChapterPart>
      <ChapterPart of="students">
        <StudentPageFields form={form} onChange={edit} />
        <StudentActionFields
          actions={form.student_actions}
          onChange={(student_actions) => edit({ student_actions })}
        />
        <BookingFields
          booking={form.student_booking}
          onChange={(student_booking) => edit({ student_booking })}
        />
        <EnquiryFields form={form.enquiries} onChange={(enquiries) => edit({ enquiries })} />
      </ChapterPart>
      <ChapterPart of="messages">
        <MessageFields messages={form.messages} onChange={(messages) => edit({ messages })} />
        <ActionReaderFields form={form} onChange={edit} />
        <RoundFields form={form} onChange={edit} />
      </ChapterPart>
      <ChapterPart of="cancellations">
        <PolicyFields
          steps={form.cancellation_policy}
          onChange={(cancellation_policy) => edit({ cancellation_policy })}
        />
      </ChapterPart>
      <ChapterPart of="instructors">
        <InstructorsMayField
          value={form.instructors_may}
          onChange={(instructors_may) => edit({ instructors_may })}
        />
        <BusyCalendarsField
          value={form.busy_calendars}
          onChange={(busy_calendars) => edit({ busy_calendars })}
        />
        <DefaultFields form={form} onChange={edit} />
        <HoursFields
          legend={t('settings.newHours')}
          windows={form.default_availability_windows}
          onChange={(default_availability_windows) => edit({ default_availability_windows })}
        />
      </ChapterPart>
      <ChapterPart of="lessons">
        <OfferedClassesField
          hidden={form.hidden_license_classes}
          onChange={(hidden_license_classes) => edit({ hidden_license_classes })}
        />
      </ChapterPart>
      <ChapterPart of="days">
        <HolidayFields form={form} onChange={edit} />
      </ChapterPart>
    </>
  )
}

/** Returns a handler that shows the chapter of the first field that cannot be saved: a hidden one would not say why. */
function useShowFault(shown: Chapter, showField: (field: HTMLElement) => void) {
  const navigate = useNavigate()
  return (event: FormEvent<HTMLFormElement>) => {
    const { currentTarget, target } = event
    const first = currentTarget.querySelector<HTMLElement>(':is(input, textarea, select):invalid')
    const chapter = chapterIn(first?.closest<HTMLElement>('[data-chapter]')?.dataset.chapter)
    if (!first || target !== first || !chapter || chapter === shown) return
    void navigate({ to: '/settings', search: { chapter } })
    showField(first)
  }
}
