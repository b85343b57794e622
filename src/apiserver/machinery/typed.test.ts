import { testConversation } from '../recorded/testing.js';

testConversation('forms');
testConversation('types');
