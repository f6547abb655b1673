import type { deSetup } from './de-setup.ts'

export const enSetup: typeof deSetup = {
  setup: {
    title: 'Set up Fahrplan',
    intro: 'Add your driving school and your own login. Everything else follows, step by step.',
    whereTitle: 'Fahrplan prints a link to this page when it starts: please open that one.',
    where:
      'You find it where Fahrplan was started: in the terminal, in “journalctl -u fahrplan”, or in “docker logs”. What follows the # in it is the code.',
    code: 'Code of the link',
    wrongCode: 'This code is not the right one. You find it in the link that Fahrplan prints when it starts.',
    school: 'Driving school',
    schoolName: 'Name of the school',
    countryHint:
      'Brings the licence classes and lessons that are required there. It cannot be changed later, nor can the time zone.',
    owner: 'Your login',
    ownerName: 'Your name',
    passwordHint: 'At least 8 characters.',
    submit: 'Set up the school',
    closed: 'Fahrplan is set up already.',
    logIn: 'Log in',
  },
}
