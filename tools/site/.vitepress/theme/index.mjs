import DefaultTheme from 'vitepress/theme';
import Diagram from './diagram.mjs';
// oxlint-disable-next-line import/no-unassigned-import -- styles export nothing
import './colors.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('SvcDiagram', Diagram);
  },
};
