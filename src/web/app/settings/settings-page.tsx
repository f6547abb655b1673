import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HoursFields } from '../../people/instructors/hours-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { isChanged } from '../../ui/changed-fields.ts'
import { Mantine } from '../../ui/dialogs/mantine.tsx'
import { SaveNotice } from '../../ui/failure-notice.tsx'
import page from '../../ui/page.module.css'
import { useSchool } from '../../ui/school.tsx'
import { Unsaved, useUnsaved } from '../../ui/unsaved.tsx'
import { Closures } from './closures.tsx'
import { DefaultFields } from './default-fields.tsx'
import { HolidayFields } from './holiday-fields.tsx'
import { InstructorsMayField } from './instructors-may-field.tsx'
import { LessonTypes } from './lesson-types.tsx'
import { Locations } from './locations.tsx'
import { MessageFields } from './message-fields.tsx'
import { OfferedClassesField } from './offered-classes-field.tsx'
import { PolicyFields } from './policy-fields.tsx'
import { SchoolFields } from './school-fields.tsx'
import { isWhole, type SettingsForm, settingsFormOf, settingsOf, withNewerInput } from './settings-form.ts'
import { StudentActionFields } from './student-action-fields.tsx'
import { StudentPageFields } from './student-page-fields.tsx'
import { useSaveSettings } from './use-save-settings.ts'
import { Vehicles } from './vehicles.tsx'
import { Webhooks } from './webhooks.tsx'

const FORM = 'settings'

export function SettingsPage() {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const [form, setForm] = useState(() => settingsFormOf(tenant))
  const { save, opened, error, isBusy } = useSaveSettings(tenant, (saved, sent) =>
    setForm((now) => withNewerInput(saved, now, sent)),
  )
  const isUnsaved = isChanged(settingsOf(form), opened) || !isWhole(form)
  useUnsaved(() => isUnsaved)
  const edit = (change: Partial<SettingsForm>) => setForm({ ...form, ...change })

  return (
    <Mantine>
      <div className={page.page}>
        <div className={page.bar}>
          <h1>{t('nav.settings')}</h1>
          <span className={page.space} />
          <Button
            type="submit"
            form={FORM}
            look="primary"
            isBusy={isBusy}
            disabled={!isUnsaved || !isWhole(form)}
          >
            {t('action.save')}
          </Button>
        </div>
        <div className={page.scroll}>
          <form
            id={FORM}
            className={page.sections}
            onSubmit={(event) => {
              event.preventDefault()
              save(form)
            }}
          >
            <SaveNotice error={error} stale={t('settings.stale')} />
            <SchoolFields form={form} onChange={edit} />
            <StudentPageFields form={form} onChange={edit} />
            <MessageFields messages={form.messages} onChange={(messages) => edit({ messages })} />
            <PolicyFields
              steps={form.cancellation_policy}
              onChange={(cancellation_policy) => edit({ cancellation_policy })}
            />
            <StudentActionFields
              actions={form.student_actions}
              mayMove={form.students_may_move}
              onChange={edit}
            />
            <DefaultFields form={form} onChange={edit} />
            <HoursFields
              legend={t('settings.newHours')}
              windows={form.default_availability_windows}
              onChange={(default_availability_windows) => edit({ default_availability_windows })}
            />
            <OfferedClassesField
              hidden={form.hidden_license_classes}
              onChange={(hidden_license_classes) => edit({ hidden_license_classes })}
            />
            <HolidayFields form={form} onChange={edit} />
            <InstructorsMayField
              value={form.instructors_may}
              onChange={(instructors_may) => edit({ instructors_may })}
            />
          </form>
          <div className={page.sections}>
            <Vehicles />
            <Locations />
            <Closures />
            <LessonTypes />
            <Webhooks />
          </div>
        </div>
      </div>
      <Unsaved />
    </Mantine>
  )
}
