import type { deSetup } from './de-setup.ts'

export const enSetup: typeof deSetup = {
  setup: {
    title: 'Set up Fahrplan',
    intro: 'Add your driving school and your own login. Everything else follows, step by step.',
    whereTitle: 'Fahrplan prints a link to this page when it starts: please open that one.',
    where:
      'You find it where Fahrplan was started: in the terminal, in “journalctl -u fahrplan”, or in “docker logs”. What follows the # in it is the code.',
    insecureTitle: 'At this address nobody will be able to log in: it is not secured with HTTPS.',
    insecure:
      'Browsers keep a login only over HTTPS, or on the computer where Fahrplan runs. Put a proxy with a certificate, such as Caddy or nginx, in front of Fahrplan and open its https:// address; or open this page on that computer, under http://localhost.',
    code: 'Code of the link, or the whole link',
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
