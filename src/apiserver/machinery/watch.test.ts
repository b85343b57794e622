import { testConversation } from '../recorded/testing.js';

testConversation('watch');
