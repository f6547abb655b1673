import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { boxOf, useBrowser } from '../support/browser.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const open = useBrowser(service)
const MONDAY = '2099-03-02'

let school: School
let page: Page

beforeEach(async () => {
  school = await aSchool(service())
})

async function at(path: string): Promise<void> {
  page = await open(path, { as: school })
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const dialog = () => page.getByRole('dialog').last()

describe('students', () => {
  it('are enrolled and found by phone number', { tags: 'promise' }, async () => {
    await school.student({ first_name: 'Emre', last_name: 'Kaya', phone: '+49 30 5550177' })
    await at('/students')
    await page.getByRole('button', { name: 'New student' }).click()
    await dialog().getByLabel('First name').fill('Lena')
    await dialog().getByLabel('Last name').fill('Vogt')
    await dialog().getByLabel('Phone', { exact: true }).fill('+49 30 5550142')
    await dialog().getByLabel('Date of birth').fill('12/04/2008')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Lena Vogt').waitFor()
    await dialog().getByText('12 April 2008').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('5550142')
    await page.getByText('1 student', { exact: true }).waitFor()
    expect(page.url()).toContain('q=')
  })

  it('are changed in the form, and the change is stored and shown after a reload', async () => {
    const student = await school.student({ phone: '+49 30 5550142', notes: 'brings glasses' })
    await at(`/students?student=${student.id}`)
    await dialog().getByRole('button', { name: 'Edit' }).click()
    await dialog().getByLabel('Last name').fill('Demir')
    await dialog().getByLabel('Phone', { exact: true }).fill('+49 30 5550188')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Lena Demir').waitFor()
    const { body } = await school.client.get(`/students/${student.id}`)
    const change = { last_name: 'Demir', phone: '+49 30 5550188', version: 2 }
    expect(body).toEqual({ ...student, ...change, updated_at: body.updated_at })
    await page.reload()
    const card = page.getByRole('dialog', { name: 'Lena Demir' })
    for (const text of ['+49 30 5550188', 'brings glasses']) await card.getByText(text).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('main').getByRole('listitem').getByText('Lena Demir').waitFor()
  })

  it('are deleted after a warning about cancelled lessons, and restored together with them', async () => {
    const instructor = await school.instructor()
    const student = await school.student()
    const lesson = await school.lesson({
      instructor_id: instructor.id,
      student_id: student.id,
      start_at: `${MONDAY} 10:00`,
      end_at: `${MONDAY} 11:30`,
    })
    await at(`/students?student=${student.id}`)
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await dialog().getByText('1 upcoming lesson will be cancelled.').waitFor()
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Deleted: Lena Vogt').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Undone: deleted Lena Vogt').waitFor()
    expect((await school.client.get(`/appointments/${lesson.id}`)).body.status).toBe('planned')
  })
})

describe('nested dialogs', () => {
  it('close one at a time on Escape', async () => {
    const student = await school.student({ first_name: 'Lena', last_name: 'Vogt' })
    await at(`/students?student=${student.id}`)
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete Lena Vogt?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Delete Lena Vogt?' }).waitFor({ state: 'detached' })
    await page.getByRole('dialog', { name: 'Lena Vogt' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('enrol a new student from the name typed in the lesson form', async () => {
    await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
    await at(`/?date=${MONDAY}`)
    await page.getByRole('button', { name: 'Book lesson' }).click()
    const booking = page.getByRole('dialog', { name: 'Book lesson' })
    await booking.getByRole('combobox', { name: 'Student' }).fill('Ada Maria Lovelace')
    await booking.getByRole('button', { name: 'New student' }).click()
    const enrolment = page.getByRole('dialog', { name: 'New student' })
    await expect.poll(() => enrolment.getByLabel('First name').inputValue()).toBe('Ada Maria')
    await enrolment.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Ada Maria Lovelace').waitFor()
    await expect
      .poll(() => booking.getByRole('combobox', { name: 'Student' }).inputValue())
      .toBe('Ada Maria Lovelace')
    // With the key: Book stands where Save stood, and a second click there within half a second would count as part of a double click.
    await booking.getByRole('button', { name: 'Book', exact: true }).press('Enter')
    await page.getByText(/^Booked: Ada Maria Lovelace/).waitFor()
  })
})

describe('the card of a student', () => {
  it('books a lesson with the preferred instructor', async () => {
    await school.instructor({ first_name: 'Jonas', last_name: 'Brandt' })
    const mira = await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
    const student = await school.student({ preferred_instructor_id: mira.id })
    await at(`/students?student=${student.id}`)
    await dialog().getByRole('button', { name: 'Book lesson' }).click()
    await page.getByText('Possible', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText(/^Booked: Lena Vogt/).waitFor()
    await dialog()
      .getByRole('link', { name: /\d\d:\d\d–\d\d:\d\d/ })
      .waitFor()
    const { body } = await school.client.get(`/appointments?student_id=${student.id}`)
    expect(body).toMatchObject([{ instructor_id: mira.id }])
  })
})

describe('a student who already exists', () => {
  beforeEach(async () => {
    await school.student({ first_name: 'Emma', last_name: 'Krüger', phone: '0176 2255 0177' })
  })

  it('is shown as a possible duplicate during an enrolment, and can be opened instead', async () => {
    await at('/students')
    await page.getByRole('button', { name: 'New student' }).click()
    await dialog().getByLabel('First name').fill('Emma')
    await dialog().getByLabel('Last name').fill('Vogt')
    await expect.poll(() => dialog().getByRole('status').count()).toBe(0)
    await dialog().getByLabel('Phone', { exact: true }).fill('+49 (176) 2255-0177')
    await dialog().getByText('Emma Krüger has the same phone number.').waitFor()
    await dialog().getByLabel('Phone', { exact: true }).fill('')
    await dialog().getByLabel('Last name').fill('krueger')
    await dialog().getByText('Emma Krüger has the same name.').waitFor()
    await dialog().getByRole('button', { name: 'Open' }).click()
    await page.getByRole('dialog', { name: 'Emma Krüger' }).waitFor()
    expect((await school.client.get('/students')).body).toHaveLength(1)
  })

  it('can be chosen for the booking instead, or enrolled again', async () => {
    await at(`/?date=${MONDAY}`)
    await page.keyboard.press('n')
    const booking = page.getByRole('dialog', { name: 'Book lesson' })
    const student = booking.getByRole('combobox', { name: 'Student' })
    await student.fill('Emma Maria Krueger')
    await booking.getByRole('button', { name: 'New student' }).click()
    await dialog().getByLabel('First name').fill('Emma')
    await dialog().getByRole('button', { name: 'Take this one' }).click()
    await expect.poll(() => student.inputValue()).toBe('Emma Krüger')
    await booking.getByRole('button', { name: 'New student' }).click()
    await dialog().getByLabel('First name').fill('Emma')
    await dialog().getByLabel('Last name').fill('Krüger')
    await dialog().getByText('Is this person already here?').waitFor()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved: Emma Krüger').waitFor()
    expect((await school.client.get('/students')).body).toHaveLength(2)
  })
})

describe('the list of students', () => {
  it('finds names and phone numbers in different spellings, and lists the best match first', {}, async () => {
    await school.student({ first_name: 'Mert', last_name: 'Kayaoğlu' })
    await school.student({ first_name: 'Emma', last_name: 'Kaya', phone: '+49 30 5550145' })
    await school.student({ first_name: 'Günther', last_name: 'Wiśniewski' })
    await school.student({ first_name: '小明', last_name: '王' })
    await at('/students')
    // The first steps above the list are a list, too.
    const rows = page.getByRole('main').getByRole('listitem')
    for (const [text, names] of [
      ['kaya', ['Emma Kaya', 'Mert Kayaoğlu']],
      ['kaya, emma', ['Emma Kaya']],
      ['0305550145', ['Emma Kaya']],
      ['guenther', ['Günther Wiśniewski']],
      ['wisnewski', ['Günther Wiśniewski']],
      ['emmakaya', ['Emma Kaya']],
      ['wang xiaoming', ['小明 王']],
      ['эмма', ['Emma Kaya']],
    ] as const) {
      await page.getByRole('searchbox').fill(text)
      await page.getByText(names.length === 1 ? '1 student' : `${names.length} students`).waitFor()
      for (const [at, name] of names.entries()) await rows.nth(at).getByText(name).waitFor()
    }
  })

  it('accepts fast typing at the start of the search text', async () => {
    await at('/students?q=muller')
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('Home')
    await page.keyboard.type('abc ')
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('abc muller')
    await page.waitForURL(/q=abc/)
  })
})

describe('instructors', () => {
  it('are found by name, and the search is kept after a form is opened and closed', async () => {
    await school.instructor({ first_name: 'Jürgen', last_name: 'Brandt' })
    await school.instructor({ first_name: 'Mira', last_name: 'Seidel' })
    await at('/instructors')
    await page.getByText('Mira Seidel').waitFor()
    await page.getByRole('searchbox').fill('juergen')
    await page.getByText('Mira Seidel').waitFor({ state: 'detached' })
    await page.getByText('Jürgen Brandt').click()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/instructors\?q=juergen$/)
  })

  it('get painted hours and an absence that a reload shows, and the form lists lessons that no longer fit', async () => {
    const instructor = await school.instructor()
    await school.lesson({
      instructor_id: instructor.id,
      start_at: `${MONDAY} 10:00`,
      end_at: `${MONDAY} 11:30`,
      title: 'Car wash',
    })
    await at(`/instructors?instructor=${instructor.id}`)
    const tuesday = page.locator('[data-weekday="2"]')
    await tuesday.scrollIntoViewIfNeeded()
    const box = await boxOf(tuesday)
    await page.mouse.move(box.x + 10, box.y + box.height * 0.2)
    await page.mouse.down()
    await page.mouse.move(box.x + 10, box.y + box.height * 0.6, { steps: 5 })
    await page.mouse.up()
    await page.getByText('1 upcoming lesson would no longer fit').waitFor()
    await page.getByText('On Monday Jonas Brandt does not work.').waitFor()
    await page.getByRole('button', { name: 'Add absence' }).click()
    await page.getByLabel('Reason').fill('Skiing')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved: Jonas Brandt').waitFor()
    const { body } = await school.client.get(`/instructors/${instructor.id}`)
    expect(body.availability_windows).toEqual([{ weekday: 2, start: '09:00', end: '16:00' }])
    expect(body.vacations).toMatchObject([{ note: 'Skiing' }])
    await page.reload()
    await page.getByRole('listitem').getByText('Skiing').waitFor()
  })
})
